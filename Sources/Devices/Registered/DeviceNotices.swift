package import Kernel

/// Port: tells owners by mail what a device of theirs can prove itself by from now on.
///
/// In the unit of work that brings it about: told if, and only if, that becomes durable. `language` is the tag of what the
/// person reads; an account without an address that was proven is told nothing.
package protocol DeviceNotices: Sendable {
    /// The device has got a key.
    func keyWasSet(
        of account: AccountID,
        client: String,
        isReplacement: Bool,
        language: String,
        in transaction: borrowing Transaction
    ) throws

    /// A device of the account has got its first credential, which proves it from now on.
    func credentialWasGiven(
        of account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws

    /// The device has got another credential by a session of the account alone, without the one that it had.
    func credentialWasReplaced(
        of account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws
}
