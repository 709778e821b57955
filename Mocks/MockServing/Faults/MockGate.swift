package import Hummingbird
import Kernel

/// The checks of every call: the count, and the active fault.
package struct MockGate<State: AuthorizationMock>: Sendable {
    /// Gets the fault that it has to work into its answer.
    package typealias Answer = @Sendable (State.Kind?) async throws -> MockReply

    private let backend: SharedState<State>

    package init(_ backend: SharedState<State>) { self.backend = backend }

    /// Runs `answer` as `call`, well or badly.
    package func serve(_ call: State.Kind.Call, _ context: MockContext, _ answer: Answer) async throws -> Response {
        guard let fault = backend.with({ state, _ in state.calls.begin(call) }) else {
            return try await answer(nil).response
        }
        if let breakage = fault.kind.breakage(delay: fault.delay) {
            return try await breakage.serve(on: context.channel) { try await answer(nil) }
        }
        var reply = try await answer(fault.kind)
        fault.kind.spoil(&reply)
        return reply.response
    }
}
