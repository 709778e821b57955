package import Devices
package import Kernel
import Testing

/// The contract of every store of device keys, one case a promise.
package enum DeviceKeyStoreContract: String, StorePromise {
    case replaces = "a new key takes the place of the old one, of which no count and no use is left"
    case counts = "uses and clone signs are counted apart"
    case oneChallenge = "a device has one challenge"
    // T-125
    case usesOnce = "a challenge is used once, by its device, before it expires"

    /// Checks this promise over an empty store that has these two accounts.
    package func check(
        over keys: some DeviceKeyStore,
        devices: some OwnedDeviceStore,
        _ unitOfWork: some UnitOfWork,
        accounts: [AccountID]
    ) async throws {
        let subject = DeviceKeysUnderTest(keys: keys, devices: devices, unitOfWork: unitOfWork, accounts: accounts)
        switch self {
        case .replaces: try await subject.checkReplacing()
        case .counts: try await subject.checkCounting()
        case .oneChallenge: try await subject.checkOneChallenge()
        case .usesOnce: try await subject.checkUse()
        }
    }
}

private struct DeviceKeysUnderTest<Keys: DeviceKeyStore, Devices: OwnedDeviceStore, Work: UnitOfWork>: CheckingInUnits {
    let keys: Keys
    let devices: Devices
    let unitOfWork: Work
    let accounts: [AccountID]

    private static var now: Instant { DeviceSample.now }

    func checkReplacing() async throws {
        let device = DeviceSample.device(1, of: accounts[0], key: DeviceSample.keys[0])
        try await insert([device])
        let record = DeviceKeyRecord(key: DeviceSample.keys[1], biometric: .face, createdAt: Self.now)
        let taken = try await run { transaction in
            _ = try devices.take(count: 9, of: device.id, in: transaction)
            try keys.noteUse(of: device.id, at: Self.now, in: transaction)
            try keys.put(record, of: device.id, in: transaction)
            return try devices.take(count: 1, of: device.id, in: transaction)
        }
        #expect(taken)
        #expect(try await run { try keys.key(of: device.id, in: $0) } == record)
        #expect(try await run { try devices.find(device.id, in: $0)?.key } == record.key)
    }

    func checkCounting() async throws {
        let device = DeviceSample.device(1, of: accounts[0], key: DeviceSample.keys[0])
        try await insert([device])
        try await run { transaction in
            try keys.noteUse(of: device.id, at: Self.now, in: transaction)
            try keys.noteUse(of: device.id, at: Self.now + .seconds(1), in: transaction)
            try keys.noteCloneSign(of: device.id, in: transaction)
        }
        let record = try await run { try keys.key(of: device.id, in: $0) }
        #expect(record?.uses == 2 && record?.cloneSigns == 1)
        #expect(record?.lastUsedAt == Self.now + .seconds(1))
    }

    func checkOneChallenge() async throws {
        let device = DeviceSample.device(1, of: accounts[0], key: DeviceSample.keys[0])
        try await insert([device])
        for number in UInt64(1)...2 {
            let challenge = challenge(number, of: device.id)
            try await run { try keys.put(challenge, in: $0) }
            #expect(try await run { try keys.challenge(of: device.id, in: $0) } == challenge)
        }
        let old = challenge(1, of: device.id).value
        #expect(try await !run { try keys.use(old, of: device.id, at: Self.now, in: $0) })
    }

    func checkUse() async throws {
        let found = [1, 2].map { DeviceSample.device($0, of: accounts[0], key: DeviceSample.keys[0]) }
        try await insert(found)
        let (first, second) = (challenge(1, of: found[0].id), challenge(2, of: found[1].id))
        try await run { transaction in
            try keys.put(first, in: transaction)
            try keys.put(second, in: transaction)
        }
        #expect(try await !use(first.value, of: found[1].id, at: Self.now), "another device's")
        #expect(try await !use(second.value, of: found[1].id, at: second.expiresAt), "expired")
        #expect(try await use(second.value, of: found[1].id, at: second.expiresAt - .milliseconds(1)))
        #expect(try await use(first.value, of: found[0].id, at: Self.now))
        #expect(try await !use(first.value, of: found[0].id, at: Self.now), "used")
        #expect(try await run { try keys.challenge(of: found[0].id, in: $0)?.usedAt } == Self.now)
    }

    private func challenge(_ number: UInt64, of device: DeviceID) -> DeviceChallenge {
        DeviceChallenge(
            device: device,
            value: OperationSample.digest("challenge", number),
            expiresAt: Self.now + .seconds(300)
        )
    }

    private func use(_ challenge: Digest256, of device: DeviceID, at now: Instant) async throws -> Bool {
        try await run { try keys.use(challenge, of: device, at: now, in: $0) }
    }

    private func insert(_ found: [RegisteredDevice]) async throws {
        try await run { transaction in for device in found { try devices.insert(device, in: transaction) } }
    }
}
