import Kernel
import StoreContract
import Testing

@testable import Devices

/// Management of devices by their owners alone.
struct OwnedDevicesTests {
    private typealias Harness = DeviceHarness
    private let harness = Harness()

    // T-124
    @Test func `an owner sees, names and revokes a device, and its sessions end with it`() async throws {
        let device = try #require(try await harness.signIn(Harness.ada, platform: .ios))
        #expect(try await harness.owned.list(of: Harness.ada, client: "app").map(\.device.id) == [device])
        #expect(try await harness.owned.rename(device, of: Harness.ada, client: "app", to: "Kitchen tablet"))
        #expect(try await harness.owned.list(of: Harness.ada, client: nil).map(\.device.label) == ["Kitchen tablet"])
        #expect(try await harness.owned.revoke(device, of: Harness.ada, client: "app"))
        #expect(try await harness.owned.list(of: Harness.ada, client: nil).isEmpty)
        #expect(harness.ended.all == ["\(Harness.ada) \(device)"])
        #expect(harness.audited == [.owned, .revoked])
        #expect(try await !harness.owned.revoke(device, of: Harness.ada, client: "app"), "it is revoked already")
        #expect(try await !harness.owned.rename(device, of: Harness.ada, client: "app", to: "Ghost"))
        #expect(harness.ended.all.count == 1 && harness.ended.settled == [Harness.ada, Harness.ada])
    }

    @Test func `attack: another account's or client's device can't be listed, renamed or revoked`() async throws {
        let device = try #require(try await harness.signIn(Harness.ada, platform: .ios))
        let before = try harness.device()
        for (account, client) in [(Harness.bob, "app"), (Harness.ada, "other")] {
            #expect(try await harness.owned.list(of: account, client: client).isEmpty)
            #expect(try await !harness.owned.rename(device, of: account, client: client, to: "Mine"))
            #expect(try await !harness.owned.revoke(device, of: account, client: client))
            #expect(
                try await !harness.owned.keep(
                    Secret("token"),
                    of: Harness.name,
                    account,
                    client: client,
                    from: Harness.session
                )
            )
            #expect(try await !harness.owned.dropPushToken(of: Harness.name, account, client: client))
        }
        #expect(try harness.device() == before)
        #expect(harness.ended.all.isEmpty)
    }

    // T-124
    @Test func `an operator revokes a device by its id, whosever it is`() async throws {
        let device = try #require(try await harness.signIn(Harness.ada, platform: .ios))
        #expect(try await harness.owned.revoke(device)?.account == Harness.ada)
        #expect(try await harness.owned.revoke(device) == nil)
        #expect(try await harness.owned.revoke(DeviceID(UUIDBits(high: 9, low: 9))) == nil)
        #expect(harness.ended.all == ["\(Harness.ada) \(device)"])
    }

    // T-124
    @Test(arguments: [true, false])
    func `attack: after a failed revocation a repeat ends the operations of the device`(
        _ isOwner: Bool
    ) async throws {
        let device = try #require(try await harness.signIn(Harness.ada, platform: .ios))
        func revoke() async throws -> Bool {
            guard isOwner else { return try await harness.owned.revoke(device) != nil }
            return try await harness.owned.revoke(device, of: Harness.ada, client: "app")
        }
        harness.ended.failNext()
        await #expect(throws: StoreError.self) { try await revoke() }
        #expect(harness.ended.settled.isEmpty)
        #expect(try await !revoke(), "it is revoked already")
        #expect(harness.ended.settled == [Harness.ada])
        for (account, client) in [(Harness.bob, "app"), (Harness.ada, "other")] {
            #expect(try await !harness.owned.revoke(device, of: account, client: client))
        }
        #expect(harness.ended.settled == [Harness.ada], "for nobody else")
    }

    @Test func `all devices of an account but one are revoked, however many there are, and nobody else's`()
        async throws
    {
        let ids = (0..<150).map { DeviceID(UUIDBits(high: 7, low: UInt64($0))) }
        try await harness.unitOfWork.run { [harness] transaction in
            for (number, id) in ids.enumerated() {
                let device = RegisteredDevice(
                    id: id,
                    account: number == 149 ? Harness.bob : Harness.ada,
                    name: DeviceName(client: "app", device: "device \(number)"),
                    credential: nil,
                    key: nil,
                    validity: DeviceValidity(
                        createdAt: harness.time.instant,
                        expiresAt: harness.time.instant + .seconds(90)
                    )
                )
                try harness.store.insert(device, in: transaction)
            }
            try harness.owned.revokeAll(of: Harness.ada, except: ids[70], in: transaction)
        }
        #expect(Set(harness.store.all.filter { $0.validity.revokedAt == nil }.map(\.id)) == [ids[70], ids[149]])
        #expect(harness.audited.count { $0 == .revoked } == 148)
        #expect(harness.ended.all.isEmpty, "their descendants are ended by account, and not device by device")
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func `attack: forgetting a device's proofs removes its credential, key and push token but those to keep`(
        _ isShown: Bool,
        _ keepsKey: Bool
    ) async throws {
        let device = try #require(try await harness.signIn(Harness.ada, platform: .ios))
        let owner = Registrant.person(Harness.ada, isFresh: true, session: Harness.session, on: nil)
        let credential = try #require(try await harness.register(by: owner, pushToken: "token"))
        let record = DeviceKeyRecord(key: DeviceSample.keys[0], biometric: nil, createdAt: harness.time.instant)
        let shown = isShown ? Digest256(sha256: credential) : nil
        try await harness.unitOfWork.run { [harness] transaction in
            try harness.store.put(record, of: device, in: transaction)
            try harness.owned.forgetProofs(of: device, Harness.bob, except: nil, keepingKey: false, in: transaction)
        }
        #expect(try await harness.proves(credential, Harness.ada), "another account's word forgets nothing")
        #expect(try harness.device().key == record.key)
        try await harness.unitOfWork.run { [harness] transaction in
            try harness.owned.forgetProofs(
                of: device,
                Harness.ada,
                except: shown,
                keepingKey: keepsKey,
                in: transaction
            )
        }
        #expect(try await harness.proves(credential, Harness.ada) == isShown)
        let left = try harness.device()
        #expect(left.account == Harness.ada && left.validity.isLive(at: harness.time.instant))
        #expect(left.key == (keepsKey ? record.key : nil))
        #expect(try await harness.owned.list(of: Harness.ada, client: nil).map(\.hasPushToken) == [false])
        #expect(harness.ended.all.isEmpty, "its sessions stand")
    }

    @Test func `a push token is kept, replaced and forgotten`() async throws {
        let device = try #require(try await harness.signIn(Harness.ada, platform: .ios))
        for token in ["first", "second"] {
            #expect(
                try await harness.owned.keep(
                    Secret(token),
                    of: Harness.name,
                    Harness.ada,
                    client: "app",
                    from: Harness.session
                )
            )
            #expect(try await harness.pushToken(of: device) == token)
        }
        #expect(try await harness.owned.list(of: Harness.ada, client: nil).map(\.hasPushToken) == [true])
        for _ in 0..<2 {
            #expect(try await harness.owned.dropPushToken(of: Harness.name, Harness.ada, client: "app"))
        }
        #expect(try await harness.owned.list(of: Harness.ada, client: nil).map(\.hasPushToken) == [false])
    }
}
