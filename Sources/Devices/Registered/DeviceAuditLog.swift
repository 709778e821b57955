package import Kernel

/// What happens to registered devices that the audit is told.
package enum DeviceFact: String, Sendable, CaseIterable {
    /// A device got its owner.
    case owned = "device.owned"
    case revoked = "device.revoked"
    case keyAdded = "device.key-added"
    case keyReplaced = "device.key-replaced"
    /// A good signature came that no careful device sends.
    case cloneSign = "device.clone-sign"
}

/// Port: the audit's ear for devices.
package protocol DeviceAuditLog: Sendable {
    func record(
        _ fact: DeviceFact,
        of device: DeviceID,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws
}
