import HTTPTypes
import Hummingbird
import Kernel
import NIOCore

/// What every call passes through: the count, and the fault in force.
struct UpstreamGate: Sendable {
    typealias Handler = @Sendable (Request, UpstreamMockContext) async throws -> Response
    /// Gets the fault that it has to work into its answer.
    typealias Answer = @Sendable (UpstreamFaultKind?) async throws -> UpstreamReply

    let backend: UpstreamMockBackend

    /// Runs `answer` as `call`, well or badly.
    func serve(_ call: UpstreamCall, _ context: UpstreamMockContext, _ answer: Answer) async throws -> Response {
        guard let fault = backend.with({ state, _ in state.begin(call) }) else { return try await answer(nil).response }
        switch fault.kind {
        case .down: return UpstreamReply.json(#"{"error":"server_error"}"#, .internalServerError).response
        case .garbage: return UpstreamReply.page("Service temporarily moved").response
        case .redirect: return UpstreamReply.redirect(to: "https://elsewhere.example.com/").response
        case .expired, .inactive, .forbidden: return try await answer(fault.kind).response
        case .truncate: return try await answer(nil).truncated(on: context.channel)
        case .slow:
            try await pause(for: fault.delay, on: context.channel)
            return try await answer(nil).response
        case .hang:
            try await pause(for: .seconds(60), on: context.channel)
            try? await context.channel.close()
            return UpstreamReply.json("{}").response
        case .reset:
            try? await context.channel.close()
            return UpstreamReply.json("{}").response
        }
    }

    /// On the connection's own loop; over as soon as it is closed.
    private func pause(for delay: Duration, on channel: any Channel) async throws {
        let timer = channel.eventLoop.scheduleTask(in: .milliseconds(delay.wholeMilliseconds)) {}
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        try? await timer.futureResult.get()
    }
}
