package import Kernel

/// Port: ends the sessions of a removed passkey, and what they have started.
package protocol PasskeyEnding: Sendable {
    /// Ends the account's sessions that began with the passkey, except `kept`, and everything that they started, in the
    /// caller's unit of work.
    func end(
        _ passkey: PasskeyID,
        of account: AccountID,
        except kept: SessionID?,
        in transaction: borrowing Transaction
    ) throws

    /// Ends the cached operations of those sessions, once their end is durable.
    func settle(removedPasskeyOf account: AccountID) async throws
}
