import Kernel

/// What happens to registered devices that the audit is told.
package enum DeviceAuditEvent: String, AuditEvent, CaseIterable {
    /// A device got its owner.
    case owned = "device.owned"
    case revoked = "device.revoked"
    case keyAdded = "device.key-added"
    case keyReplaced = "device.key-replaced"
    /// A good signature came that no careful device sends.
    case cloneSign = "device.clone-sign"
}
