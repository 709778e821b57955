package import Devices
package import Kernel
import Testing

/// The contract of every store of registered devices, one case a promise.
package enum RegisteredDeviceStoreContract: String, StorePromise {
    case keepsWhole = "a device comes back as it was written, by id, by name and by credential"
    case updates = "an update writes owner, label, platform, credential and expiry"
    case oneOfAName = "a client has one device of a name"
    case lists = "an owner's live devices are counted, and listed, the newest first, with what belongs to them"
    case takesGrowingCounts = "a count is taken once, and none below it"
    case revokes = "a revoked device loses its challenge and its push token, and is revoked once"
    case forgetsKeys = "a device whose key is forgotten has none, and nothing to sign, and is otherwise as it was"
    case purgesWhatEnded = "devices that expired or were revoked are purged, in batches"
    case purgesOwnerless = "devices without an owner are purged by when they registered, in batches"
    case forgets = "a deleted device takes all that belongs to it along"

    /// Checks this promise over an empty store that has these two accounts.
    package func check(
        over store: some OwnedDeviceStore,
        purge: @escaping Purge,
        purgeOwnerless: @escaping Purge,
        keys: some DeviceKeyStore,
        _ unitOfWork: some UnitOfWork,
        accounts: [AccountID]
    ) async throws {
        let subject = RegisteredDevicesUnderTest(
            store: store,
            purge: purge,
            purgeOwnerless: purgeOwnerless,
            keys: keys,
            unitOfWork: unitOfWork,
            accounts: accounts
        )
        switch self {
        case .keepsWhole: try await subject.checkWhole()
        case .updates: try await subject.checkUpdate()
        case .oneOfAName: try await subject.checkNames()
        case .lists: try await subject.checkList()
        case .takesGrowingCounts: try await subject.checkCounts()
        case .revokes: try await subject.checkRevoking()
        case .forgetsKeys: try await subject.checkForgettingKeys()
        case .purgesWhatEnded: try await subject.checkEnded()
        case .purgesOwnerless: try await subject.checkOwnerless()
        case .forgets: try await subject.checkForgetting()
        }
    }
}

/// Devices and keys as samples of tests.
package enum DeviceSample {
    package static var now: Instant { OperationSample.start }

    /// The generator of P-256 and twice that, as keys (SEC 2 §2.4.2).
    package static let keys = [
        "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
        "BHzyexiNA09-ilI4AwS1GsPAiWnid_IbNaYLSPxHZpl4B3dVENuO0EApPZrGn3Qw27p9reY86YIpngS3nSJ4c9E",
    ].compactMap { DeviceKey(text: $0) }

    package static func device(
        _ number: UInt64,
        of account: AccountID?,
        client: String = "app",
        key: DeviceKey? = nil,
        createdAgo: Duration = .zero,
        expiresIn: Duration = .seconds(90),
        revokedAgo: Duration? = nil
    ) -> RegisteredDevice {
        RegisteredDevice(
            id: DeviceID(UUIDBits(high: 0xD, low: number)),
            account: account,
            name: DeviceName(client: client, device: "device \(number)"),
            label: "Phone \(number)",
            platform: number.isMultiple(of: 2) ? .ios : .android,
            credential: RegisteredDevice.Credential(
                digest: OperationSample.digest("device credential", number),
                isUnproven: number == 1
            ),
            key: key,
            validity: DeviceValidity(
                createdAt: now - createdAgo,
                expiresAt: now + expiresIn,
                revokedAt: revokedAgo.map { now - $0 }
            )
        )
    }
}

private struct RegisteredDevicesUnderTest<Store: OwnedDeviceStore, Keys: DeviceKeyStore, Work: UnitOfWork>:
    CheckingInUnits
{
    let store: Store
    let purge: Purge
    let purgeOwnerless: Purge
    let keys: Keys
    let unitOfWork: Work
    let accounts: [AccountID]

    private static var now: Instant { DeviceSample.now }

    func checkWhole() async throws {
        let device = DeviceSample.device(1, of: accounts[0], key: DeviceSample.keys[0], revokedAgo: .seconds(1))
        let bare = RegisteredDevice(
            id: DeviceID(UUIDBits(high: 0xD, low: 2)),
            account: nil,
            name: DeviceName(client: "app", device: "bare"),
            credential: nil,
            key: nil,
            validity: DeviceValidity(createdAt: Self.now, expiresAt: Self.now)
        )
        let found = try await run { transaction in
            try store.insert(device, in: transaction)
            try store.insert(bare, in: transaction)
            return [
                try store.find(device.id, in: transaction),
                try store.find(device.name, in: transaction),
                try store.find(credential: OperationSample.digest("device credential", 1), in: transaction),
                try store.find(bare.id, in: transaction),
                try store.find(DeviceName(client: "other", device: device.name.device), in: transaction),
                try store.find(credential: OperationSample.digest("device credential", 2), in: transaction),
            ]
        }
        #expect(found == [device, device, device, bare, nil, nil])
    }

    func checkForgettingKeys() async throws {
        let device = DeviceSample.device(1, of: accounts[0], key: DeviceSample.keys[0])
        let other = DeviceSample.device(2, of: accounts[0], key: DeviceSample.keys[1])
        try await insert([device, other])
        try await run { transaction in
            for (number, device) in [device, other].enumerated() {
                let challenge = DeviceChallenge(
                    device: device.id,
                    value: OperationSample.digest("challenge", UInt64(number)),
                    expiresAt: Self.now + .seconds(300)
                )
                try keys.put(challenge, in: transaction)
            }
            try store.forgetKey(of: device.id, in: transaction)
        }
        let bare = DeviceSample.device(1, of: accounts[0])
        #expect(try await find(device.id) == bare)
        #expect(try await run { try keys.challenge(of: device.id, in: $0) } == nil)
        #expect(try await find(other.id) == other, "another's stays")
        let kept = try await run { try keys.challenge(of: other.id, in: $0) }
        #expect(kept != nil)
        try await run { try store.forgetKey(of: device.id, in: $0) }
    }

    func checkUpdate() async throws {
        var device = DeviceSample.device(1, of: nil)
        let untouched = DeviceSample.device(2, of: accounts[1])
        try await insert([device, untouched])
        device.account = accounts[0]
        device.label = "Renamed"
        device.platform = nil
        device.validity.expiresAt = Self.now + .seconds(7)
        let digest = OperationSample.digest("device credential", 3)
        for credential in [
            nil, RegisteredDevice.Credential(digest: digest),
            RegisteredDevice.Credential(digest: digest, isUnproven: true),
        ] {
            device.credential = credential
            let changed = device
            try await run { try store.update(changed, in: $0) }
            #expect(try await find(device.id) == changed)
        }
        #expect(try await find(untouched.id) == untouched)
    }

    func checkNames() async throws {
        try await insert([DeviceSample.device(1, of: nil), DeviceSample.device(2, of: nil, client: "other")])
        let again = RegisteredDevice(
            id: DeviceID(UUIDBits(high: 0xE, low: 1)),
            account: nil,
            name: DeviceName(client: "app", device: "device 1"),
            credential: nil,
            key: nil,
            validity: DeviceValidity(createdAt: Self.now, expiresAt: Self.now)
        )
        await #expect(throws: StoreError.self) { try await insert([again]) }
        #expect(try await find(again.id) == nil)
    }

    func checkList() async throws {
        let old = DeviceSample.device(1, of: accounts[0], createdAgo: .seconds(50))
        let new = DeviceSample.device(2, of: accounts[0], key: DeviceSample.keys[0], createdAgo: .seconds(5))
        let elsewhere = DeviceSample.device(3, of: accounts[0], client: "other", createdAgo: .seconds(9))
        let others = [
            DeviceSample.device(4, of: accounts[1]), DeviceSample.device(5, of: nil),
            DeviceSample.device(6, of: accounts[0], expiresIn: .zero),
            DeviceSample.device(7, of: accounts[0], revokedAgo: .seconds(1)),
        ]
        try await insert([old, new, elsewhere] + others)
        try await run { transaction in
            try store.noteSignIn(on: old.id, at: Self.now - .seconds(3), in: transaction)
            try store.put(pushToken: Self.encrypted, of: old.id, at: Self.now, in: transaction)
        }
        let record = DeviceKeyRecord(key: DeviceSample.keys[0], biometric: nil, createdAt: new.validity.createdAt)
        let listedNew = ListedDevice(device: new, key: record, hasPushToken: false, lastUsedAt: nil)
        let listedOld = ListedDevice(device: old, key: nil, hasPushToken: true, lastUsedAt: Self.now - .seconds(3))
        #expect(try await list(client: "app") == [listedNew, listedOld])
        #expect(try await list(client: nil).map(\.device) == [new, elsewhere, old])
        #expect(try await list(client: nil, limit: 1).map(\.device) == [new])
        #expect(try await run { try store.count(of: accounts[0], at: Self.now, in: $0) } == 3)
    }

    func checkCounts() async throws {
        let device = DeviceSample.device(1, of: accounts[0], key: DeviceSample.keys[0])
        let keyless = DeviceSample.device(2, of: accounts[0])
        try await insert([device, keyless])
        let taken = try await run { transaction in
            try [5, 5, 4, 6, 4].map { try store.take(count: $0, of: device.id, in: transaction) }
        }
        #expect(taken == [true, false, true, true, false], "one that was overtaken is good once")
        #expect(try await !run { try store.take(count: 1, of: keyless.id, in: $0) })
    }

    func checkRevoking() async throws {
        let device = DeviceSample.device(1, of: accounts[0])
        try await insert([device])
        let challenge = DeviceChallenge(device: device.id, value: .zero, expiresAt: Self.now + .seconds(9))
        let revoked = try await run { transaction in
            try store.put(pushToken: Self.encrypted, of: device.id, at: Self.now, in: transaction)
            try keys.put(challenge, in: transaction)
            return try [1, 2].map { _ in try store.revoke(device.id, at: Self.now, in: transaction) }
        }
        #expect(revoked == [true, false])
        #expect(try await find(device.id)?.validity.revokedAt == Self.now)
        #expect(try await run { try store.pushToken(of: device.id, in: $0) } == nil)
        #expect(try await run { try keys.challenge(of: device.id, in: $0) } == nil)
        #expect(try await !run { try store.revoke(DeviceID(UUIDBits(high: 9, low: 9)), at: Self.now, in: $0) })
    }

    func checkEnded() async throws {
        let kept = [
            DeviceSample.device(1, of: accounts[0], expiresIn: .zero),
            DeviceSample.device(2, of: accounts[0], revokedAgo: .zero),
        ]
        let ended = [
            DeviceSample.device(3, of: accounts[0], expiresIn: .milliseconds(-1)),
            DeviceSample.device(4, of: nil, expiresIn: .seconds(-9)),
            DeviceSample.device(5, of: accounts[1], revokedAgo: .milliseconds(1)),
        ]
        try await insert(kept + ended)
        let counts = try await run { transaction in
            try [2, 2, 2].map { try purge(Self.now, $0, transaction) }
        }
        #expect(counts == [2, 1, 0])
        for device in kept { #expect(try await find(device.id) == device) }
    }

    func checkOwnerless() async throws {
        let kept = [
            DeviceSample.device(1, of: accounts[0], createdAgo: .seconds(99)),
            DeviceSample.device(2, of: nil, createdAgo: .seconds(10)),
        ]
        let ended = [11, 12, 13].map { DeviceSample.device($0, of: nil, createdAgo: .seconds(Int64($0))) }
        try await insert(kept + ended)
        let counts = try await run { transaction in
            try [2, 2, 2].map { try purgeOwnerless(Self.now - .seconds(10), $0, transaction) }
        }
        #expect(counts == [2, 1, 0])
        for device in kept { #expect(try await find(device.id) == device) }
    }

    func checkForgetting() async throws {
        let device = DeviceSample.device(1, of: accounts[0], key: DeviceSample.keys[0])
        try await insert([device])
        let challenge = DeviceChallenge(device: device.id, value: .zero, expiresAt: Self.now + .seconds(9))
        try await run { transaction in
            try store.put(pushToken: Self.encrypted, of: device.id, at: Self.now, in: transaction)
            try keys.put(challenge, in: transaction)
            try store.delete(device.id, in: transaction)
        }
        #expect(try await find(device.id) == nil)
        #expect(try await run { try keys.key(of: device.id, in: $0) } == nil)
        #expect(try await run { try keys.challenge(of: device.id, in: $0) } == nil)
        #expect(try await run { try store.pushToken(of: device.id, in: $0) } == nil)
    }

    private static var encrypted: String { String(repeating: "s", count: 39) }

    private func insert(_ devices: [RegisteredDevice]) async throws {
        try await run { transaction in for device in devices { try store.insert(device, in: transaction) } }
    }

    private func find(_ device: DeviceID) async throws -> RegisteredDevice? {
        try await run { try store.find(device, in: $0) }
    }

    private func list(client: String?, limit: Int = 100) async throws -> [ListedDevice] {
        try await run { try store.list(of: accounts[0], client: client, at: Self.now, limit: limit, in: $0) }
    }
}
