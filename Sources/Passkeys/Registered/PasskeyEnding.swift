package import Kernel

/// Port: ends everything that was started from a removed passkey.
package protocol PasskeyEnding: Sendable {
    /// Ends the account's sessions that began with the passkey, except one that stays active, in the caller's unit of
    /// work. Everything that they have started ends too.
    func end(
        _ passkey: PasskeyID,
        of account: AccountID,
        except kept: SessionID?,
        in transaction: borrowing Transaction
    ) throws

    /// Ends the live state in memory, once that is durable.
    func settle(removedPasskeyOf account: AccountID) async throws
}
