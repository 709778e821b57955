package import Kernel

/// A new proof of a device, for the notice to its owner.
package enum DeviceNotice: Sendable {
    case keyAdded
    case keyReplaced
    /// The first credential of the account's device.
    case credentialAdded
    /// A new credential that a session of the account alone asked for, without the previous one.
    case credentialReplaced
}

/// Port: tells owners by mail what their device can prove itself by from now on.
package protocol DeviceNotices: Sendable {
    /// Sends the notice in the caller's unit of work: only if that becomes durable; to no address that was not proven.
    ///
    /// `language`: the tag of the language that the owner reads.
    func notify(
        _ notice: DeviceNotice,
        of account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws
}
