package import Kernel
package import Operations

/// The sessions of the in-memory store, as the engine asks about them.
package struct MemoryActiveSessions: ActiveSessions {
    let connection: MemoryConnection

    package func active(among sessions: Set<SessionID>) async throws -> Set<SessionID> {
        try await connection.read { tables in sessions.filter { tables.sessions[$0]?.isRevoked == false } }
    }

    package func isActive(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        draft.tally.lookups += 1
        return draft.tables.isActive(account, session)
    }

    package func isActive(_ session: SessionID, of account: AccountID) async throws -> Bool {
        try await connection.read { $0.isActive(account, session) }
    }

    package func disown(
        _ session: SessionID,
        of account: AccountID,
        keeping device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions {
        let draft = try transaction.draft()
        draft.tally.lookups += 1
        guard let found = draft.tables.sessions[session], found.account == account, !found.isRevoked else {
            return EndedSessions(all: [session])
        }
        draft.tally.writes += 1
        draft.tables.sessions[session]?.isRevoked = true
        return EndedSessions(all: [session], isChanged: true)
    }
}

extension MemoryTables {
    /// Returns whether the person is active and the session not revoked; one that was never opened counts as open.
    func isActive(_ account: AccountID, _ session: SessionID) -> Bool {
        people[account]?.isActive == true && sessions[session]?.isRevoked != true
    }
}
