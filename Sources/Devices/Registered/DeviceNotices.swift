package import Kernel

/// Port: tells owners by mail which proof a device of theirs has from now on.
///
/// The mail belongs to the unit of work of the change: it is sent if, and only if, that becomes durable. An account
/// without a verified address is told nothing. `language` is the tag of the person's language.
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
