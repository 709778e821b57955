package import Kernel

/// A device that was registered: its proofs start logins for its account, as the cookie of a ``DeviceLink`` does.
///
/// Without an owner it proves nothing.
package struct RegisteredDevice: Sendable, Equatable {
    package let id: DeviceID
    package let account: AccountID?
    package let client: String
    /// The id that the client gave itself, as it came; one of a client's devices has it.
    package let name: String
    /// SHA-256 of the device credential's text.
    package let credential: Digest256?
    package let key: DeviceKey?
    package let createdAt: Instant
    package let expiresAt: Instant
    package let revokedAt: Instant?

    package init(
        id: DeviceID,
        account: AccountID?,
        client: String,
        name: String,
        credential: Digest256?,
        key: DeviceKey?,
        createdAt: Instant,
        expiresAt: Instant,
        revokedAt: Instant?
    ) {
        self.id = id
        self.account = account
        self.client = client
        self.name = name
        self.credential = credential
        self.key = key
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }

    package func isLive(at now: Instant) -> Bool { revokedAt == nil && now < expiresAt }
}

/// Port: where registered devices are kept.
package protocol RegisteredDeviceStore: Sendable {
    func insert(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws

    /// The device with that credential.
    func find(credential: Digest256, in transaction: borrowing Transaction) throws -> RegisteredDevice?

    /// The device that the client calls so.
    func find(name: String, client: String, in transaction: borrowing Transaction) throws -> RegisteredDevice?

    func find(_ device: DeviceID, in transaction: borrowing Transaction) throws -> RegisteredDevice?

    /// Takes a count of the device's key; `false` for one that may have been taken before (``DeviceCounts``).
    func take(count: Int64, of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool

    /// Revokes the device and every link that came of it; `false` if it is revoked already, or was never registered.
    func revoke(_ device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool

    /// Deletes up to `limit` devices that expired or were revoked before `instant`; returns how many.
    func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}
