package import Kernel

/// A part of a device that is set up in a session.
package enum DevicePart: Sendable, Equatable, CaseIterable {
    /// The device itself, with its owner.
    case registration
    case credential, key, pushToken
}

/// Port: stores the session in which a part of a device was set up, so that the part ends if that session was an
/// attacker's.
package protocol DeviceOrigins: Sendable {
    /// Whether the account's device was registered in that session.
    func isRegistered(
        _ device: DeviceID,
        of account: AccountID,
        in session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Whether the session is still active: otherwise a part could be set up after the remedy that ended the session.
    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    func note(
        _ part: DevicePart,
        of device: DeviceID,
        _ account: AccountID,
        from session: SessionID,
        in transaction: borrowing Transaction
    ) throws

    /// Stores that a holder of the device's credential set its push token: the token's origin is that of the
    /// credential.
    func notePushTokenByCredential(of device: DeviceID, in transaction: borrowing Transaction) throws
}
