import Devices
import Kernel
import Operations
import Sessions

/// Sessions and the devices that they are on, as the engine asks about them.
struct StandingSessionsAdapter: StandingSessions {
    let sessions: SessionDesk
    let devices: DeviceLinks
    let registered: RegisteredDevices

    func standing(among sessions: Set<SessionID>) async throws -> Set<SessionID> {
        try await self.sessions.standing(among: sessions)
    }

    func revoke(
        _ session: SessionID,
        of account: AccountID,
        keeping device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let revoked = try sessions.revoke(session, of: account, in: transaction) else { return false }
        if let linked = revoked.device, linked != device {
            try devices.revoke(linked, of: account, in: transaction)
            try registered.revoke(linked, of: account, in: transaction)
        }
        return true
    }
}
