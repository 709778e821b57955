package import Kernel

/// Port: the store of registered devices, for code that checks their proofs.
package protocol RegisteredDeviceStore: Sendable {
    func insert(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws

    /// Returns the device with that credential.
    func find(credential: Digest256, in transaction: borrowing Transaction) throws -> RegisteredDevice?

    /// Returns the client's device of that name.
    func find(_ name: DeviceName, in transaction: borrowing Transaction) throws -> RegisteredDevice?

    func find(_ device: DeviceID, in transaction: borrowing Transaction) throws -> RegisteredDevice?

    /// Takes a count of the device's key; returns `false` if it may have been taken before (``DeviceCounts``).
    func take(count: Int64, of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool

    /// Revokes the device and all its links, and deletes its push token and its challenge.
    ///
    /// - Returns: `false` if the device is revoked already, or was never registered.
    func revoke(_ device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool
}

/// Port: the store of registered devices, for registrations and for their owners.
package protocol OwnedDeviceStore: RegisteredDeviceStore {
    /// Writes owner, label, platform, credential and expiry of the device.
    func update(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws

    /// Deletes the device's key with its counts, and its challenge.
    func forgetKey(of device: DeviceID, in transaction: borrowing Transaction) throws

    /// Deletes the device, with its key and its push token.
    func delete(_ device: DeviceID, in transaction: borrowing Transaction) throws

    /// Returns the account's live devices, the newest first; `nil` as the client means those of all clients.
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

    /// Deletes the device's push token; returns `false` if there was none.
    @discardableResult
    func dropPushToken(of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool
}
