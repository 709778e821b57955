package import Kernel

/// Port: all by which somebody may act for an account, in every room that keeps something of it.
package protocol AccountAccess: Sendable {
    /// Ends, in the caller's unit of work, the account's sessions but `kept`, its devices with their credentials, keys and
    /// browsers but the one that `kept` is on, and its sign-in codes that are out.
    func endElsewhere(
        of account: AccountID,
        except kept: SessionID?,
        because reason: AccessChange,
        in transaction: borrowing Transaction
    ) throws

    /// Ends all of that, and with it the account's password and its faces at providers.
    func removeAll(of account: AccountID, in transaction: borrowing Transaction) throws

    /// Ends the account's sign-in codes that are out.
    func endCodes(of account: AccountID, in transaction: borrowing Transaction) throws

    /// Whether the session is the account's and not ended.
    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Ends what of removed access is live in memory, once its removal is durable.
    func settle(_ account: AccountID) async throws
}

/// What was changed, so that others are out.
package enum AccessChange: Sendable, Equatable {
    case password
    /// An address was proven.
    case address
}
