package import Kernel

/// Port: tells owners by mail that a device of theirs has got a key.
package protocol DeviceKeyNotices: Sendable {
    /// In the unit of work that gives the device the key: told if, and only if, that becomes durable.
    ///
    /// `language`: the tag of what the person reads; an account without an address is told nothing.
    func keyWasSet(
        of account: AccountID,
        client: String,
        isReplacement: Bool,
        language: String,
        in transaction: borrowing Transaction
    ) throws
}
