import Kernel
import Sessions

// The sessions of a client end in several units of work.
extension EndingService {
    /// The number of sessions that end in one unit: other writes get their turn after some tens of milliseconds.
    private static let sessionsPerUnit = 500

    /// Ends the remaining sessions of clients that were disabled or signed out before a crash; called before serving.
    package func resume() async throws {
        let clients = try await unitOfWork.read { [store] in try store.endingClients(in: $0) }
        for client in clients { try await endSessions(of: client) }
    }

    /// Ends the client's sessions that are noted to end.
    func endSessions(of client: String) async throws {
        var last: SessionID?
        var isDone = false
        while !isDone {
            let after = last
            (last, isDone) = try await unitOfWork.run { [store, sessions] transaction in
                let batch = try store.sessions(
                    ofEnding: client,
                    after: after,
                    limit: Self.sessionsPerUnit,
                    in: transaction
                )
                for (session, account) in batch {
                    _ = try sessions.revoke(
                        session,
                        of: account,
                        because: Remedy.clientSignedOut.reason,
                        in: transaction
                    )
                }
                guard batch.count < Self.sessionsPerUnit else { return (batch.last?.session, false) }
                // Another command may have noted further sessions since, also with lower ids: the search starts again.
                return (nil, try store.noteEnd(of: client, in: transaction))
            }
        }
    }
}
