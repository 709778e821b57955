package import Kernel

/// What of a device is set up in a session.
package enum DevicePart: Sendable, Equatable, CaseIterable {
    /// The device itself, with its owner.
    case registration
    case credential, key, pushToken
}

/// Port: keeps in which session something of a device was set up, so that it ends when that was somebody else's.
package protocol DeviceOrigins: Sendable {
    /// Whether the account's device was registered in that very session.
    func isRegistered(
        _ device: DeviceID,
        of account: AccountID,
        in session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Whether the session is open still: what one sets up that a remedy has ended in the meantime would outlast the remedy.
    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    func note(
        _ part: DevicePart,
        of device: DeviceID,
        _ account: AccountID,
        from session: SessionID,
        in transaction: borrowing Transaction
    ) throws

    /// Keeps that the device's push token was set by whoever showed its credential: the token was set up where that was.
    func notePushTokenByCredential(of device: DeviceID, in transaction: borrowing Transaction) throws
}
