package import Kernel

/// A device's key with what is known of its use.
package struct DeviceKeyRecord: Sendable, Equatable {
    package let key: DeviceKey
    /// What unlocks it on the device, as the app says; `nil` where none did.
    package let biometric: BiometricKind?
    package let createdAt: Instant
    /// How many signatures of it were accepted.
    package let uses: Int64
    /// How many good signatures came that no careful device sends: over a challenge that was used already, or with a
    /// count that was taken before.
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

/// What a device asks for before it signs.
package enum BiometricKind: String, Sendable, CaseIterable {
    case face, fingerprint
}

/// What a device is to sign.
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

    /// As the device is given it: base64 with padding (RFC 4648 §4).
    package var text: String {
        Base64URL.encode(value.bytes).replacing("-", with: "+").replacing("_", with: "/") + "="
    }

    package func isOpen(at now: Instant) -> Bool { usedAt == nil && now < expiresAt }
}

/// Port: where the keys of registered devices are kept, with what they are to sign.
package protocol DeviceKeyStore: Sendable {
    /// Gives the device that key in the place of any other, of which nothing is left, not even the count.
    func put(_ key: DeviceKeyRecord, of device: DeviceID, in transaction: borrowing Transaction) throws

    func key(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceKeyRecord?

    /// Counts an accepted signature of the device's key.
    func noteUse(of device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws

    /// Counts a good signature that no careful device sends.
    func noteCloneSign(of device: DeviceID, in transaction: borrowing Transaction) throws

    /// Takes the keys from all devices of the account but one; returns how many.
    func removeKeys(
        of account: AccountID,
        except device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> Int

    /// Keeps the challenge in the place of the device's last one.
    func put(_ challenge: DeviceChallenge, in transaction: borrowing Transaction) throws

    func challenge(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceChallenge?

    /// Uses the device's challenge up; `false` if it is another one by now, was used, or expired.
    func use(
        _ challenge: Digest256,
        of device: DeviceID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
