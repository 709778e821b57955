import Accounts
import Devices
import Kernel
import OAuth
import Operations
import Sessions

/// Sessions and the devices that they are on, as the engine asks about them.
struct StandingSessionsAdapter: StandingSessions {
    let accounts: any AccountStore
    let sessions: SessionDesk
    let devices: DeviceLinks
    let registered: RegisteredDevices
    let grants: any OAuthGrantStore
    let consents: any ConsentStore

    func standing(among sessions: Set<SessionID>) async throws -> Set<SessionID> {
        try await self.sessions.standing(among: sessions)
    }

    func stands(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        guard try accounts.profile(account, in: transaction)?.account.state == .active else { return false }
        return try sessions.isOpen(session, of: account, in: transaction)
    }

    func stands(_ session: SessionID, of account: AccountID) async throws -> Bool {
        guard try await accounts.find(account)?.account.state == .active, let open = try await sessions.find(session)
        else { return false }
        return open.revokedAt == nil && open.account == account
    }

    func revoke(
        _ session: SessionID,
        of account: AccountID,
        keeping device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let revoked = try sessions.revoke(session, of: account, because: .notMe, in: transaction) else {
            return false
        }
        // Whoever says that it wasn't them has not agreed to what the client got by it.
        if let grant = try grants.find(session, in: transaction) {
            try consents.remove(account, client: grant.clientID, in: transaction)
        }
        if let linked = revoked.device, linked != device {
            try devices.revoke(linked, of: account, in: transaction)
            try registered.revoke(linked, of: account, in: transaction)
            try sessions.revokeAll(of: account, on: linked, because: .deviceRevoked, in: transaction)
        }
        return true
    }
}
