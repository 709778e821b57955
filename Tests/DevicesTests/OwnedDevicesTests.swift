import Kernel
import StoreContract
import Testing

@testable import Devices

/// Management of devices by their owners alone.
struct OwnedDevicesTests {
    private typealias B = DeviceBench
    private let bench = B()

    @Test func `an owner sees, names and revokes a device, and its sessions end with it`() async throws {
        let device = try #require(try await bench.signIn(B.ada, platform: .ios))
        #expect(try await bench.owned.list(of: B.ada, client: "app").map(\.device.id) == [device])
        #expect(try await bench.owned.rename(device, of: B.ada, client: "app", to: "Kitchen tablet"))
        #expect(try await bench.owned.list(of: B.ada, client: nil).map(\.device.label) == ["Kitchen tablet"])
        #expect(try await bench.owned.revoke(device, of: B.ada, client: "app"))
        #expect(try await bench.owned.list(of: B.ada, client: nil).isEmpty)
        #expect(bench.ended.all == ["\(B.ada) \(device)"])
        #expect(bench.audited == [.owned, .revoked])
        #expect(try await !bench.owned.revoke(device, of: B.ada, client: "app"), "it is revoked already")
        #expect(try await !bench.owned.rename(device, of: B.ada, client: "app", to: "Ghost"))
        #expect(bench.ended.all.count == 1 && bench.ended.settled == [B.ada, B.ada])
    }

    @Test func `attack: nobody sees, names or revokes another's device, nor one of another client`() async throws {
        let device = try #require(try await bench.signIn(B.ada, platform: .ios))
        let before = try bench.device()
        for (account, client) in [(B.bob, "app"), (B.ada, "other")] {
            #expect(try await bench.owned.list(of: account, client: client).isEmpty)
            #expect(try await !bench.owned.rename(device, of: account, client: client, to: "Mine"))
            #expect(try await !bench.owned.revoke(device, of: account, client: client))
            #expect(try await !bench.owned.keep(Secret("token"), of: B.name, account, client: client, from: B.session))
            #expect(try await !bench.owned.dropPushToken(of: B.name, account, client: client))
        }
        #expect(try bench.device() == before)
        #expect(bench.ended.all.isEmpty)
    }

    @Test func `an operator revokes a device by its id, whosever it is`() async throws {
        let device = try #require(try await bench.signIn(B.ada, platform: .ios))
        #expect(try await bench.owned.revoke(device)?.account == B.ada)
        #expect(try await bench.owned.revoke(device) == nil)
        #expect(try await bench.owned.revoke(DeviceID(UUIDBits(high: 9, low: 9))) == nil)
        #expect(bench.ended.all == ["\(B.ada) \(device)"])
    }

    @Test(arguments: [true, false])
    func `attack: operations of a revoked device end by a repeat where memory could not follow`(
        _ isOwner: Bool
    ) async throws {
        let device = try #require(try await bench.signIn(B.ada, platform: .ios))
        func revoke() async throws -> Bool {
            guard isOwner else { return try await bench.owned.revoke(device) != nil }
            return try await bench.owned.revoke(device, of: B.ada, client: "app")
        }
        bench.ended.failNext()
        await #expect(throws: StoreError.self) { try await revoke() }
        #expect(bench.ended.settled.isEmpty)
        #expect(try await !revoke(), "it is revoked already")
        #expect(bench.ended.settled == [B.ada])
        for (account, client) in [(B.bob, "app"), (B.ada, "other")] {
            #expect(try await !bench.owned.revoke(device, of: account, client: client))
        }
        #expect(bench.ended.settled == [B.ada], "for nobody else")
    }

    @Test func `all devices of an account but one are revoked, however many there are, and nobody else's`()
        async throws
    {
        let ids = (0..<150).map { DeviceID(UUIDBits(high: 7, low: UInt64($0))) }
        try await bench.unitOfWork.run { [bench] transaction in
            for (number, id) in ids.enumerated() {
                let device = RegisteredDevice(
                    id: id,
                    account: number == 149 ? B.bob : B.ada,
                    client: "app",
                    name: "device \(number)",
                    credential: nil,
                    key: nil,
                    createdAt: bench.time.instant,
                    expiresAt: bench.time.instant + .seconds(90),
                    revokedAt: nil
                )
                try bench.store.insert(device, in: transaction)
            }
            try bench.owned.revokeAll(of: B.ada, except: ids[70], in: transaction)
        }
        #expect(Set(bench.store.all.filter { $0.revokedAt == nil }.map(\.id)) == [ids[70], ids[149]])
        #expect(bench.audited.count { $0 == .revoked } == 148)
        #expect(bench.ended.all.isEmpty, "their descendants are ended by account, and not device by device")
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func `attack: traces of others on a device that stays are forgotten, and its owner's are not`(
        _ isShown: Bool,
        _ keepsKey: Bool
    ) async throws {
        let device = try #require(try await bench.signIn(B.ada, platform: .ios))
        let owner = Registrant.person(B.ada, isFresh: true, session: B.session, on: nil)
        let credential = try #require(try await bench.register(by: owner, pushToken: "token"))
        let record = DeviceKeyRecord(key: DeviceSample.keys[0], biometric: nil, createdAt: bench.time.instant)
        let shown = isShown ? Digest256(sha256: credential) : nil
        try await bench.unitOfWork.run { [bench] transaction in
            try bench.store.put(record, of: device, in: transaction)
            try bench.owned.forgetProofs(of: device, B.bob, except: nil, keepingKey: false, in: transaction)
        }
        #expect(try await bench.proves(credential, B.ada), "another account's word forgets nothing")
        #expect(try bench.device().key == record.key)
        try await bench.unitOfWork.run { [bench] transaction in
            try bench.owned.forgetProofs(of: device, B.ada, except: shown, keepingKey: keepsKey, in: transaction)
        }
        #expect(try await bench.proves(credential, B.ada) == isShown)
        let left = try bench.device()
        #expect(left.account == B.ada && left.isLive(at: bench.time.instant))
        #expect(left.key == (keepsKey ? record.key : nil))
        #expect(try await bench.owned.list(of: B.ada, client: nil).map(\.hasPushToken) == [false])
        #expect(bench.ended.all.isEmpty, "its sessions stand")
    }

    @Test func `a push token is kept, replaced and forgotten`() async throws {
        let device = try #require(try await bench.signIn(B.ada, platform: .ios))
        for token in ["first", "second"] {
            #expect(try await bench.owned.keep(Secret(token), of: B.name, B.ada, client: "app", from: B.session))
            #expect(try await bench.pushToken(of: device) == token)
        }
        #expect(try await bench.owned.list(of: B.ada, client: nil).map(\.hasPushToken) == [true])
        for _ in 0..<2 {
            #expect(try await bench.owned.dropPushToken(of: B.name, B.ada, client: "app"))
        }
        #expect(try await bench.owned.list(of: B.ada, client: nil).map(\.hasPushToken) == [false])
    }
}
