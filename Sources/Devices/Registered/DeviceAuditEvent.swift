import Kernel

/// The audit events of registered devices; the subject is the device.
package enum DeviceAuditEvent: String, AuditEvent, CaseIterable {
    /// A device got its owner.
    case owned = "device.owned"
    /// A device was removed from its account, and its sessions ended.
    case revoked = "device.revoked"
    /// A device got its first key.
    case keyAdded = "device.key-added"
    /// A device got a new key in the place of its old one.
    case keyReplaced = "device.key-replaced"
    /// A valid signature came that no correct device sends.
    case cloneSign = "device.clone-sign"
}
