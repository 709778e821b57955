package import Kernel

/// Port: ends what came of a passkey that is removed.
package protocol PasskeyEnding: Sendable {
    /// Ends the account's sessions that began with the passkey, but for one that is to go on, and what they have started; in
    /// the caller's unit of work.
    func end(
        _ passkey: PasskeyID,
        of account: AccountID,
        except kept: SessionID?,
        in transaction: borrowing Transaction
    ) throws

    /// Ends what is live in memory of it, once that is durable.
    func settle(removedPasskeyOf account: AccountID) async throws
}
