import HTTPTypes
import Hummingbird
import MockServing

/// What every call passes through: the count, and the fault in force.
struct UpstreamGate: Sendable {
    /// Gets the fault that it has to work into its answer.
    typealias Answer = @Sendable (UpstreamFaultKind?) async throws -> MockReply

    let backend: UpstreamMockBackend

    /// Runs `answer` as `call`, well or badly.
    func serve(_ call: UpstreamCall, _ context: MockContext, _ answer: Answer) async throws -> Response {
        guard let fault = backend.with({ state, _ in state.begin(call) }) else { return try await answer(nil).response }
        guard let breakage = fault.breakage else { return try await answer(fault.kind).response }
        return try await breakage.serve(on: context.channel) { try await answer(nil) }
    }
}

extension UpstreamFault {
    /// What breaks on the way; `nil` for what stands in the answer.
    var breakage: MockBreakage? {
        switch kind {
        case .down: .error(.internalServerError)
        case .slow: .late(delay)
        case .hang: .silence
        case .garbage: .garbage
        case .truncate: .truncated
        case .reset: .reset
        case .redirect: .redirect
        case .expired, .inactive, .forbidden: nil
        }
    }
}

extension MockReply {
    static func page(_ content: String, _ status: HTTPResponse.Status = .ok) -> Self {
        .html(
            """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Upstream mock</title></head>
            <body><main>\(content)</main></body></html>

            """,
            status
        )
    }
}
