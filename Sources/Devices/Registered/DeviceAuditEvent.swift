import Kernel

/// The audit events of registered devices.
package enum DeviceAuditEvent: String, AuditEvent, CaseIterable {
    /// A device got its owner.
    case owned = "device.owned"
    case revoked = "device.revoked"
    case keyAdded = "device.key-added"
    case keyReplaced = "device.key-replaced"
    /// A valid signature came that no correct device sends.
    case cloneSign = "device.clone-sign"
}
