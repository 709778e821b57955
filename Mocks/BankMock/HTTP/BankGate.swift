import HTTPTypes
import Hummingbird
import MockServing

/// What every call passes through: the count, and the fault in force.
struct BankGate: Sendable {
    /// Gets the fault that it has to work into its answer.
    typealias Answer = @Sendable (BankFaultKind?) async throws -> MockReply

    let backend: BankMockBackend

    /// Runs `answer` as `call`, well or badly.
    func serve(_ call: BankCall, _ context: MockContext, _ answer: Answer) async throws -> Response {
        guard let fault = backend.with({ state, _ in state.begin(call) }) else { return try await answer(nil).response }
        switch fault.kind {
        case .flood:
            var reply = try await answer(nil)
            reply.body += String(repeating: " ", count: 2_000_000)
            return reply.response
        case .malformed:
            var reply = try await answer(nil)
            reply.body =
                #"{"access_token":7,"token_type":["Bearer"],"cards":[{"id":7,"lastFour":4242,"network":null}]}"#
            return reply.response
        case .refuse, .down, .error, .slow, .hang, .garbage, .truncate, .reset, .redirect: break
        }
        guard let breakage = fault.breakage else { return try await answer(fault.kind).response }
        return try await breakage.serve(on: context.channel) { try await answer(nil) }
    }
}

extension BankFault {
    /// What breaks on the way; `nil` for what stands in the answer.
    var breakage: MockBreakage? {
        switch kind {
        case .down: .error(.serviceUnavailable)
        case .error: .error(.internalServerError)
        case .slow: .late(delay)
        case .hang: .silence
        case .garbage: .garbage
        case .truncate: .truncated
        case .reset: .reset
        case .redirect: .redirect
        case .refuse, .malformed, .flood: nil
        }
    }
}
