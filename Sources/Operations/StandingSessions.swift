package import Kernel

/// Port: what the engine asks about sessions that are open, and how it ends one.
///
/// Implemented at the composition root, over accounts, devices and sessions.
package protocol StandingSessions: Sendable {
    /// Those of the sessions that tokens can still be had for: not revoked, and with a refresh token that has not
    /// expired.
    func standing(among sessions: Set<SessionID>) async throws -> Set<SessionID>

    /// Whether the session is the account's and open, and the account active, within a unit of work.
    func stands(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// The same, read afresh.
    func stands(_ session: SessionID, of account: AccountID) async throws -> Bool

    /// Revokes a session of the account with its refresh family, and the link of its device unless `keeping` is it.
    ///
    /// Returns `false` if it is not the account's, or revoked already.
    func revoke(
        _ session: SessionID,
        of account: AccountID,
        keeping device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
