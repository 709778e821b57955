import Kernel
import Operations
import Sessions

// The sessions of a client end in several units of work.
extension EndingService {
    /// The number of sessions that end in one unit: other writes get their turn after some tens of milliseconds.
    private static let sessionsPerUnit = 500

    /// Ends what is left of clients that were disabled or signed out before a crash; called before serving.
    package func resume() async throws {
        let clients = try await unitOfWork.read { [store] in try store.endingClients(in: $0) }
        for client in clients {
            try await endNotedSessions(of: client)
            // The note stays for the next start. A login must not keep the daemon from starting.
            guard (try? await endOperations(of: client)) != nil else { continue }
            _ = try await unitOfWork.run { [store] in try store.noteEnd(of: client, in: $0) }
        }
    }

    /// Ends the client's sessions that are noted to end, and then its logins that other daemons have.
    ///
    /// The note stays until both have ended, also across a crash.
    func endSessions(of client: String) async throws {
        while true {
            try await endNotedSessions(of: client)
            try await endOperations(of: client)
            // Another command may have noted further sessions since, also with lower ids: the search starts again.
            if try await unitOfWork.run({ [store] in try store.noteEnd(of: client, in: $0) }) { return }
        }
    }

    private func endOperations(of client: String) async throws {
        guard operations.isShared,
            let limit = try await unitOfWork.read({ [store] in try store.endingLimit(of: client, in: $0) })
        else { return }
        try await operations.endElsewhere(Remedy.clientSignedOut.event, ofClient: client, begunBy: limit)
    }

    private func endNotedSessions(of client: String) async throws {
        var last: SessionID?
        while true {
            let after = last
            let batch = try await unitOfWork.run { [store, sessions] transaction in
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
                return batch.map(\.session)
            }
            guard batch.count == Self.sessionsPerUnit else { return }
            last = batch.last
        }
    }
}
