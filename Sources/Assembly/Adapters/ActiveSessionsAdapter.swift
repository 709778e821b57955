import Accounts
import Kernel
import Operations
import Sessions
import SignIn

/// Reads sessions, and ends disowned sessions with what descends from them, for the operation engine.
struct ActiveSessionsAdapter: ActiveSessions {
    let accounts: any AccountStore
    let sessions: SessionService
    let ending: DescentEnding

    func active(among sessions: Set<SessionID>) async throws -> Set<SessionID> {
        try await self.sessions.active(among: sessions)
    }

    func isActive(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        guard try accounts.profile(account, in: transaction)?.account.state == .active else { return false }
        return try sessions.isOpen(session, of: account, in: transaction)
    }

    func isActive(_ session: SessionID, of account: AccountID) async throws -> Bool {
        guard try await accounts.find(account)?.account.state == .active, let open = try await sessions.find(session)
        else { return false }
        return open.revocation == nil && open.account == account
    }

    func disown(
        _ session: SessionID,
        of account: AccountID,
        keeping device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions {
        try ending.disown(session, of: account, keeping: device, in: transaction)
    }
}
