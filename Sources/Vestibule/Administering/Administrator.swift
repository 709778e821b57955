import HTTPAPI

/// Whoever carries out a command's requests: the daemon, or this process.
struct Administrator: Sendable {
    private let carryOut: @Sendable (AdminRequest) async throws -> AdminReply

    init(_ carryOut: @escaping @Sendable (AdminRequest) async throws -> AdminReply) { self.carryOut = carryOut }

    /// - Throws: ``Exit``, in the words of whoever refused.
    func send(_ request: AdminRequest) async throws -> AdminReply {
        let reply = try await carryOut(request)
        if case .fault(_, let message) = reply { throw Exit.refused(message) }
        return reply
    }
}
