package import Kernel

/// A device's key with the history of its use.
package struct DeviceKeyRecord: Sendable, Equatable {
    package let key: DeviceKey
    /// How the key is unlocked on the device, as the app reports it; `nil` if the app did not report it.
    package let biometric: BiometricKind?
    package let createdAt: Instant
    /// The number of accepted signatures.
    package let uses: Int64
    /// The number of valid signatures that no correct device sends: over a used challenge, or with a count that was
    /// taken before.
    package let cloneSigns: Int64
    package let lastUsedAt: Instant?

    package init(
        key: DeviceKey,
        biometric: BiometricKind?,
        createdAt: Instant,
        uses: Int64 = 0,
        cloneSigns: Int64 = 0,
        lastUsedAt: Instant? = nil
    ) {
        self.key = key
        self.biometric = biometric
        self.createdAt = createdAt
        self.uses = uses
        self.cloneSigns = cloneSigns
        self.lastUsedAt = lastUsedAt
    }
}

/// The check of the person that a device makes before it signs.
package enum BiometricKind: String, Sendable, CaseIterable {
    case face, fingerprint
}

/// The challenge for a device to sign.
package struct DeviceChallenge: Sendable, Equatable {
    package let device: DeviceID
    /// 32 random bytes.
    package let value: Digest256
    package let expiresAt: Instant
    package let usedAt: Instant?

    package init(device: DeviceID, value: Digest256, expiresAt: Instant, usedAt: Instant? = nil) {
        self.device = device
        self.value = value
        self.expiresAt = expiresAt
        self.usedAt = usedAt
    }

    /// The challenge as the device receives it: base64 with padding (RFC 4648 §4).
    package var text: String {
        Base64URL.encode(value.bytes).replacing("-", with: "+").replacing("_", with: "/") + "="
    }

    package func isOpen(at now: Instant) -> Bool { usedAt == nil && now < expiresAt }
}

/// Port: the store of registered devices' keys and challenges.
package protocol DeviceKeyStore: Sendable {
    /// Gives the device that key in place of any other, whose history and counts are deleted.
    func put(_ key: DeviceKeyRecord, of device: DeviceID, in transaction: borrowing Transaction) throws

    func key(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceKeyRecord?

    /// Counts an accepted signature of the device's key.
    func noteUse(of device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws

    /// Counts a valid signature that no correct device sends.
    func noteCloneSign(of device: DeviceID, in transaction: borrowing Transaction) throws

    /// Stores the challenge in place of the device's previous one.
    func put(_ challenge: DeviceChallenge, in transaction: borrowing Transaction) throws

    func challenge(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceChallenge?

    /// Uses up the device's challenge; returns `false` if it was replaced or used, or has expired.
    func use(
        _ challenge: Digest256,
        of device: DeviceID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
