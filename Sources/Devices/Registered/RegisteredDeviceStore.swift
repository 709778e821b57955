package import Kernel

/// Port: where registered devices are kept, for those that prove one.
package protocol RegisteredDeviceStore: Sendable {
    func insert(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws

    /// The device with that credential.
    func find(credential: Digest256, in transaction: borrowing Transaction) throws -> RegisteredDevice?

    /// The device that the client calls so.
    func find(_ name: DeviceName, in transaction: borrowing Transaction) throws -> RegisteredDevice?

    func find(_ device: DeviceID, in transaction: borrowing Transaction) throws -> RegisteredDevice?

    /// Takes a count of the device's key; returns `false` if it may have been taken before (``DeviceCounts``).
    func take(count: Int64, of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool

    /// Revokes the device and every link of it, and drops its push token and its challenge.
    ///
    /// - Returns: `false` if the device is revoked already, or was never registered.
    func revoke(_ device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool
}

/// Port: the same, for those that register devices and for their owners.
package protocol OwnedDeviceStore: RegisteredDeviceStore {
    /// Writes owner, label, platform, credential and expiry of the device.
    func update(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws

    /// Forgets the device's key with its counts, and the challenge that it was to sign.
    func forgetKey(of device: DeviceID, in transaction: borrowing Transaction) throws

    /// Forgets the device, with its key and its push token.
    func delete(_ device: DeviceID, in transaction: borrowing Transaction) throws

    /// The account's devices that are live, the newest first; `client`: `nil` for those of all.
    func list(
        of account: AccountID,
        client: String?,
        at now: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [ListedDevice]

    /// Returns the number of the account's live devices.
    func count(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws -> Int

    /// Notes a sign-in on the device.
    func noteSignIn(on device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws

    /// Stores the device's encrypted push token, which replaces any other.
    func put(
        pushToken encrypted: String,
        of device: DeviceID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws

    func pushToken(of device: DeviceID, in transaction: borrowing Transaction) throws -> String?

    /// `false` if there was none.
    @discardableResult
    func dropPushToken(of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool
}
