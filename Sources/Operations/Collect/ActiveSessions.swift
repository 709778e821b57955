package import Kernel

/// Port: what the engine asks about sessions that are open, and how it ends one.
///
/// Implemented at the composition root, over accounts, devices and sessions.
package protocol ActiveSessions: Sendable {
    /// Those of the sessions that tokens can still be had for: not revoked, and with a refresh token that has not
    /// expired.
    func active(among sessions: Set<SessionID>) async throws -> Set<SessionID>

    /// Whether the session is the account's and open, and the account active, within a unit of work.
    func isActive(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// The same, read afresh.
    func isActive(_ session: SessionID, of account: AccountID) async throws -> Bool

    /// Ends a session that its owner says was somebody else's, with all that was opened or set up in it, and the link of
    /// its device unless `keeping` is it; in the caller's unit of work.
    ///
    /// Operations that descend from what is ended are the caller's to end.
    func disown(
        _ session: SessionID,
        of account: AccountID,
        keeping device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions
}

/// The sessions that a remedy names, whether they were over before or not.
package struct EndedSessions: Sendable, Equatable {
    package let all: Set<SessionID>
    /// Whether anything of them was left to be ended.
    package let isChanged: Bool
    /// The devices that end with them.
    package let devices: Set<DeviceID>

    package init(all: Set<SessionID> = [], isChanged: Bool = false, devices: Set<DeviceID> = []) {
        self.all = all
        self.isChanged = isChanged
        self.devices = devices
    }

    /// Whether one of the sessions has started the operation, or one of the devices.
    package func haveStarted(_ operation: Operation) -> Bool {
        operation.purpose.startedBy.map(all.contains) ?? false || operation.device.map(devices.contains) ?? false
    }
}
