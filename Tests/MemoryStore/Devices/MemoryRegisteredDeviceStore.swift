package import Devices
package import Kernel
import Sessions

/// The registered devices of the in-memory store.
package struct MemoryRegisteredDeviceStore: OwnedDeviceStore {
    package func insert(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        let isTaken = draft.tables.identity.devices.values.contains { other in
            other.device.id == device.id || other.device.name == device.name
        }
        guard !isTaken else { throw StoreError.conflict(cause: "there is such a device") }
        try refuse(device.credential?.digest, of: device.id, in: draft)
        var row = MemoryDevice(device: device, revokedAt: device.validity.revokedAt)
        row.key = device.key.map { DeviceKeyRecord(key: $0, biometric: nil, createdAt: device.validity.createdAt) }
        draft.tables.identity.devices[device.id] = row
    }

    package func update(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        try refuse(device.credential?.digest, of: device.id, in: draft)
        draft.tables.identity.devices[device.id]?.device = device
    }

    package func forgetKey(of device: DeviceID, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.identity.devices[device]?.forgetKey()
    }

    package func delete(_ device: DeviceID, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.identity.devices[device] = nil
    }

    package func find(credential: Digest256, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        try transaction.draft().tables.identity.devices.values.first { $0.device.credential?.digest == credential }?
            .whole
    }

    package func find(_ name: DeviceName, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        try transaction.draft().tables.identity.devices.values.first { $0.device.name == name }?.whole
    }

    package func find(_ device: DeviceID, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        try transaction.draft().tables.identity.devices[device]?.whole
    }

    package func list(
        of account: AccountID,
        client: String?,
        at now: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [ListedDevice] {
        let identity = try transaction.draft().tables.identity
        let live = identity.devices.values.filter {
            $0.device.account == account && client ?? $0.device.name.client == $0.device.name.client
                && $0.whole.validity.isLive(at: now)
        }
        let sorted = live.sorted { left, right in
            (right.device.validity.createdAt, left.device.id.bits)
                < (left.device.validity.createdAt, right.device.id.bits)
        }
        return sorted.prefix(limit).map { row in
            ListedDevice(
                device: row.whole,
                key: row.key,
                hasPushToken: row.pushToken != nil,
                lastUsedAt: [row.lastUsedAt, identity.lastRefresh(on: row.device.id, of: account)].compactMap(\.self)
                    .max()
            )
        }
    }

    package func count(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        try transaction.draft().tables.identity.devices.values.count {
            $0.device.account == account && $0.whole.validity.isLive(at: now)
        }
    }

    package func take(count: Int64, of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard let row = draft.tables.identity.devices[device], row.key != nil,
            DeviceCounts(highest: row.counts.max() ?? 0, taken: row.counts).isNew(count)
        else { return false }
        draft.tables.identity.devices[device]?.counts = (row.counts + [count]).sorted().suffix(DeviceCounts.kept)
        return true
    }

    package func revoke(_ device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard var row = draft.tables.identity.devices[device], row.revokedAt == nil else { return false }
        row.revokedAt = now
        row.challenge = nil
        row.forgetPushToken()
        draft.tables.identity.devices[device] = row
        if let account = row.device.account {
            try MemoryDeviceLinkStore().revoke(device, of: account, at: now, in: transaction)
        }
        return true
    }

    package func noteSignIn(on device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.identity.devices[device]?.lastUsedAt = now
    }

    package func put(
        pushToken encrypted: String,
        of device: DeviceID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        draft.tables.identity.devices[device]?.pushToken = encrypted
        draft.tables.identity.devices[device]?.pushTokenOrigin = nil
    }

    package func pushToken(of device: DeviceID, in transaction: borrowing Transaction) throws -> String? {
        try transaction.draft().tables.identity.devices[device]?.pushToken
    }

    @discardableResult
    package func dropPushToken(of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard draft.tables.identity.devices[device]?.pushToken != nil else { return false }
        draft.tables.identity.devices[device]?.forgetPushToken()
        return true
    }

    private func refuse(_ credential: Digest256?, of device: DeviceID, in draft: MemoryDraft) throws {
        guard let credential else { return }
        let isTaken = draft.tables.identity.devices.values.contains {
            $0.device.id != device && $0.device.credential?.digest == credential
        }
        guard !isTaken else { throw StoreError.conflict(cause: "there is such a credential") }
    }
}

/// The keys of registered devices in the in-memory store.
package struct MemoryDeviceKeyStore: DeviceKeyStore {
    package func put(_ key: DeviceKeyRecord, of device: DeviceID, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard draft.tables.identity.devices[device] != nil else {
            throw StoreError.conflict(cause: "there is no such device")
        }
        draft.tables.identity.devices[device]?.key = key
        draft.tables.identity.devices[device]?.keyOrigin = nil
        draft.tables.identity.devices[device]?.counts = []
    }

    package func key(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceKeyRecord? {
        try transaction.draft().tables.identity.devices[device]?.key
    }

    package func noteUse(of device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws {
        try change(device, in: transaction) { $0.counted(uses: 1, at: now) }
    }

    package func noteCloneSign(of device: DeviceID, in transaction: borrowing Transaction) throws {
        try change(device, in: transaction) { $0.counted(cloneSigns: 1) }
    }

    package func put(_ challenge: DeviceChallenge, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.identity.devices[challenge.device]?.challenge = challenge
    }

    package func challenge(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceChallenge? {
        try transaction.draft().tables.identity.devices[device]?.challenge
    }

    package func use(
        _ challenge: Digest256,
        of device: DeviceID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard let held = draft.tables.identity.devices[device]?.challenge, held.value == challenge, held.isOpen(at: now)
        else { return false }
        draft.tables.identity.devices[device]?.challenge = DeviceChallenge(
            device: device,
            value: challenge,
            expiresAt: held.expiresAt,
            usedAt: now
        )
        return true
    }

    private func change(
        _ device: DeviceID,
        in transaction: borrowing Transaction,
        _ body: (DeviceKeyRecord) -> DeviceKeyRecord
    ) throws {
        let draft = try transaction.draft()
        guard let key = draft.tables.identity.devices[device]?.key else { return }
        draft.tables.identity.devices[device]?.key = body(key)
    }
}

extension MemoryDevice {
    mutating func forgetKey() {
        key = nil
        keyOrigin = nil
        counts = []
        challenge = nil
    }

    mutating func forgetPushToken() {
        pushToken = nil
        pushTokenOrigin = nil
    }
}

extension MemoryIdentityTables {
    /// Returns when a session of the account on the device got its last refresh token.
    fileprivate func lastRefresh(on device: DeviceID, of account: AccountID) -> Instant? {
        refreshTokens.values.filter { token in
            sessions[token.session].map { $0.session.linkedDevice?.id == device && $0.session.account == account }
                ?? false
        }.map(\.issuedAt).max()
    }
}

extension DeviceKeyRecord {
    fileprivate func counted(uses: Int64 = 0, cloneSigns: Int64 = 0, at now: Instant? = nil) -> DeviceKeyRecord {
        DeviceKeyRecord(
            key: key,
            biometric: biometric,
            createdAt: createdAt,
            uses: self.uses + uses,
            cloneSigns: self.cloneSigns + cloneSigns,
            lastUsedAt: now ?? lastUsedAt
        )
    }
}
