package import Kernel

/// Port: looks up active sessions, and ends disowned ones.
///
/// Implemented at the composition root, with accounts, devices and sessions.
package protocol ActiveSessions: Sendable {
    /// Returns the active ones of the sessions: not revoked, and with a refresh token that has not expired.
    func active(among sessions: Set<SessionID>) async throws -> Set<SessionID>

    /// Whether the session belongs to the account and is active, and the account is active, within a unit of work.
    func isActive(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Whether the session belongs to the account and is active, and the account is active, read from the database.
    func isActive(_ session: SessionID, of account: AccountID) async throws -> Bool

    /// Ends a disowned session and everything that was opened or set up in it, in the caller's unit of work.
    ///
    /// The link of its device ends too, unless it is `device`. The caller ends the operations that these sessions and
    /// devices started.
    func disown(
        _ session: SessionID,
        of account: AccountID,
        keeping device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions
}

/// The sessions that a remedy ends, including those that had ended before.
package struct EndedSessions: Sendable, Equatable {
    package let all: Set<SessionID>
    /// Whether anything was still active.
    package let isChanged: Bool
    /// The devices whose links end too.
    package let devices: Set<DeviceID>

    package init(all: Set<SessionID> = [], isChanged: Bool = false, devices: Set<DeviceID> = []) {
        self.all = all
        self.isChanged = isChanged
        self.devices = devices
    }

    /// Whether one of the sessions or devices has started the operation.
    package func haveStarted(_ operation: Operation) -> Bool {
        operation.request.purpose.startedBy.map(all.contains) ?? false
            || operation.request.device.map(devices.contains) ?? false
    }
}
