import Kernel
import Synchronization

@testable import Devices

/// Registered devices and their keys in memory.
final class MemoryRegisteredDevices: OwnedDeviceStore, DeviceKeyStore {
    private struct State {
        var devices: [DeviceID: RegisteredDevice] = [:]
        var revokedAt: [DeviceID: Instant] = [:]
        var lastUsedAt: [DeviceID: Instant] = [:]
        var keys: [DeviceID: DeviceKeyRecord] = [:]
        var counts: [DeviceID: [Int64]] = [:]
        var challenges: [DeviceID: DeviceChallenge] = [:]
        var pushTokens: [DeviceID: String] = [:]

        mutating func forget(_ device: DeviceID) {
            devices[device] = nil
            revokedAt[device] = nil
            keys[device] = nil
            counts[device] = nil
            challenges[device] = nil
            pushTokens[device] = nil
        }

        func whole(_ device: RegisteredDevice) -> RegisteredDevice {
            RegisteredDevice(
                id: device.id,
                account: device.account,
                name: device.name,
                label: device.label,
                platform: device.platform,
                credential: device.credential,
                key: keys[device.id]?.key,
                validity: DeviceValidity(
                    createdAt: device.validity.createdAt,
                    expiresAt: device.validity.expiresAt,
                    revokedAt: revokedAt[device.id]
                )
            )
        }

        func first(_ condition: (RegisteredDevice) -> Bool) -> RegisteredDevice? {
            devices.values.first(where: condition).map(whole)
        }

        mutating func purge(_ limit: Int, _ condition: (RegisteredDevice) -> Bool) -> Int {
            let ended = devices.values.map(whole).filter(condition).prefix(limit).map(\.id)
            for device in ended { forget(device) }
            return ended.count
        }
    }

    private let state = Mutex(State())

    var all: [RegisteredDevice] { state.withLock { state in state.devices.values.map(state.whole) } }

    func insert(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws {
        try state.withLock { state in
            guard state.first({ $0.name == device.name }) == nil else {
                throw StoreError.conflict(cause: "UNIQUE (client, name)")
            }
            state.devices[device.id] = device
            state.revokedAt[device.id] = device.validity.revokedAt
            state.keys[device.id] = device.key.map {
                DeviceKeyRecord(key: $0, biometric: nil, createdAt: device.validity.createdAt)
            }
        }
    }

    func update(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws {
        state.withLock { $0.devices[device.id] = device }
    }

    func forgetKey(of device: DeviceID, in transaction: borrowing Transaction) throws {
        state.withLock { state in
            state.keys[device] = nil
            state.counts[device] = nil
            state.challenges[device] = nil
        }
    }

    func delete(_ device: DeviceID, in transaction: borrowing Transaction) throws {
        state.withLock { $0.forget(device) }
    }

    func find(credential: Digest256, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        state.withLock { $0.first { $0.credential?.digest == credential } }
    }

    func find(_ name: DeviceName, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        state.withLock { $0.first { $0.name == name } }
    }

    func find(_ device: DeviceID, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        state.withLock { $0.first { $0.id == device } }
    }

    func list(
        of account: AccountID,
        client: String?,
        at now: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [ListedDevice] {
        state.withLock { state in
            let found = state.devices.values.map(state.whole)
                .filter {
                    $0.account == account && client ?? $0.name.client == $0.name.client && $0.validity.isLive(at: now)
                }
                .sorted { ($1.validity.createdAt, $0.id.bits) < ($0.validity.createdAt, $1.id.bits) }
            return found.prefix(limit).map { device in
                ListedDevice(
                    device: device,
                    key: state.keys[device.id],
                    hasPushToken: state.pushTokens[device.id] != nil,
                    lastUsedAt: state.lastUsedAt[device.id]
                )
            }
        }
    }

    func count(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        all.count { $0.account == account && $0.validity.isLive(at: now) }
    }

    func take(count: Int64, of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        state.withLock { state in
            let taken = state.counts[device] ?? []
            guard state.keys[device] != nil, DeviceCounts(highest: taken.max() ?? 0, taken: taken).isNew(count) else {
                return false
            }
            state.counts[device] = (taken + [count]).sorted().suffix(DeviceCounts.kept)
            return true
        }
    }

    func revoke(_ device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        state.withLock { state in
            guard state.devices[device] != nil, state.revokedAt[device] == nil else { return false }
            state.revokedAt[device] = now
            state.challenges[device] = nil
            state.pushTokens[device] = nil
            return true
        }
    }

    func purge(before instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        state.withLock { state in
            state.purge(limit) {
                $0.validity.expiresAt < instant || $0.validity.revokedAt.map { $0 < instant } ?? false
            }
        }
    }

    func purge(ownerlessBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        state.withLock { $0.purge(limit) { $0.account == nil && $0.validity.createdAt < instant } }
    }

    func put(
        pushToken encrypted: String,
        of device: DeviceID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws { state.withLock { $0.pushTokens[device] = encrypted } }

    func pushToken(of device: DeviceID, in transaction: borrowing Transaction) throws -> String? {
        state.withLock { $0.pushTokens[device] }
    }

    func dropPushToken(of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        state.withLock { $0.pushTokens.removeValue(forKey: device) != nil }
    }

    func put(_ key: DeviceKeyRecord, of device: DeviceID, in transaction: borrowing Transaction) throws {
        state.withLock { state in
            state.keys[device] = key
            state.counts[device] = nil
        }
    }

    func key(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceKeyRecord? {
        state.withLock { $0.keys[device] }
    }

    func noteUse(of device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws {
        state.withLock { state in
            state.keys[device] = state.keys[device].map { $0.counted(uses: 1, at: now) }
        }
    }

    func noteSignIn(on device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws {
        state.withLock { $0.lastUsedAt[device] = now }
    }

    func noteCloneSign(of device: DeviceID, in transaction: borrowing Transaction) throws {
        state.withLock { state in state.keys[device] = state.keys[device].map { $0.counted(cloneSigns: 1) } }
    }

    func put(_ challenge: DeviceChallenge, in transaction: borrowing Transaction) throws {
        state.withLock { $0.challenges[challenge.device] = challenge }
    }

    func challenge(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceChallenge? {
        state.withLock { $0.challenges[device] }
    }

    func use(
        _ challenge: Digest256,
        of device: DeviceID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        state.withLock { state in
            guard let held = state.challenges[device], held.value == challenge, held.isOpen(at: now) else {
                return false
            }
            state.challenges[device] = DeviceChallenge(
                device: device,
                value: challenge,
                expiresAt: held.expiresAt,
                usedAt: now
            )
            return true
        }
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
