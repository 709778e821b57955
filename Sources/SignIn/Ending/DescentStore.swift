package import Kernel

/// Something that was opened or set up in a session, and ends when that session is disowned.
package enum Descendant: Sendable, Equatable {
    /// A session that was opened from another session, as a client's session is from a browser's.
    case session(SessionID)
    case passkey(PasskeyID)
    /// The registration of a device.
    case device(DeviceID)
    case deviceCredential(DeviceID)
    case deviceKey(DeviceID)
    case pushToken(DeviceID)
    /// The face at the provider of that name.
    case face(String)
    case password
}

/// Keeps the links from sign-ins to their results, and ends the results.
package typealias DescentStore = DescentEnds & DescentLinks

/// Port: the links from sign-ins to their results.
///
/// A link is stored on the descendant's row, and never inferred from times.
package protocol DescentLinks: Sendable {
    /// Stores the session in which the descendant was opened or set up.
    func note(
        _ descendant: Descendant,
        of account: AccountID,
        from session: SessionID,
        in transaction: borrowing Transaction
    ) throws

    /// Stores that the device's push token was set up in the same session as its credential.
    func notePushTokenByCredential(of device: DeviceID, in transaction: borrowing Transaction) throws

    /// Whether the account's device was registered in that session, and is not revoked.
    ///
    /// A session that has only named the device has not registered it.
    func isRegistered(
        _ device: DeviceID,
        of account: AccountID,
        in session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
