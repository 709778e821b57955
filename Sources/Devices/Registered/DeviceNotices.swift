package import Kernel

/// A new proof of a device, for the notice to its owner.
package enum DeviceNotice: Sendable {
    case keyAdded
    case keyReplaced
    /// The first credential of the account's device.
    case credentialAdded
    /// A new credential that a session requested without presenting the previous one.
    case credentialReplaced
}

/// Port: mails owners about new proofs of their devices.
package protocol DeviceNotices: Sendable {
    /// Sends the notice if the caller's unit of work becomes durable, and only to a verified address.
    ///
    /// `requester`: the person behind the change, whom the mail describes.
    func notify(
        _ notice: DeviceNotice,
        of account: AccountID,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws
}
