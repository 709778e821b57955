package import Kernel

/// Port: the sessions that are active, and how the engine ends one.
///
/// Implemented at the composition root, over accounts, devices and sessions.
package protocol ActiveSessions: Sendable {
    /// Returns those of the sessions that are active: not revoked, and with a refresh token that has not expired.
    func active(among sessions: Set<SessionID>) async throws -> Set<SessionID>

    /// Whether the session is the account's and open, and the account active, within a unit of work.
    func isActive(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Whether the session is the account's and active, and the account active, read again from the store.
    func isActive(_ session: SessionID, of account: AccountID) async throws -> Bool

    /// Ends a disowned session with all that was opened or set up in it, in the caller's unit of work.
    ///
    /// The link of its device ends too, unless it is `device`. The caller ends the operations that descend from them.
    func disown(
        _ session: SessionID,
        of account: AccountID,
        keeping device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions
}

/// The sessions that a remedy ends, with those that had ended before.
package struct EndedSessions: Sendable, Equatable {
    package let all: Set<SessionID>
    /// Whether anything was left to be ended.
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
        operation.request.purpose.startedBy.map(all.contains) ?? false
            || operation.request.device.map(devices.contains) ?? false
    }
}
