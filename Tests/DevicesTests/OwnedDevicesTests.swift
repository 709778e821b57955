import Kernel
import Testing

@testable import Devices

/// What owners do with their devices, and nobody else.
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
        #expect(bench.journal.all == [.owned, .revoked])
        #expect(try await !bench.owned.revoke(device, of: B.ada, client: "app"), "it is revoked already")
        #expect(try await !bench.owned.rename(device, of: B.ada, client: "app", to: "Ghost"))
        #expect(bench.ended.all.count == 1)
    }

    @Test func `attack: nobody sees, names or revokes another's device, nor one of another client`() async throws {
        let device = try #require(try await bench.signIn(B.ada, platform: .ios))
        let before = try bench.device()
        for (account, client) in [(B.bob, "app"), (B.ada, "other")] {
            #expect(try await bench.owned.list(of: account, client: client).isEmpty)
            #expect(try await !bench.owned.rename(device, of: account, client: client, to: "Mine"))
            #expect(try await !bench.owned.revoke(device, of: account, client: client))
            #expect(try await !bench.owned.keep(Secret("token"), of: B.name, account, client: client))
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

    @Test func `a push token is kept, replaced and forgotten`() async throws {
        let device = try #require(try await bench.signIn(B.ada, platform: .ios))
        for token in ["first", "second"] {
            #expect(try await bench.owned.keep(Secret(token), of: B.name, B.ada, client: "app"))
            let sealed = try #require(try await bench.unitOfWork.run { try bench.store.pushToken(of: device, in: $0) })
            #expect(sealed == "\(token) for \(device)")
        }
        #expect(try await bench.owned.list(of: B.ada, client: nil).map(\.hasPushToken) == [true])
        for _ in 0..<2 { #expect(try await bench.owned.dropPushToken(of: B.name, B.ada, client: "app")) }
        #expect(try await bench.owned.list(of: B.ada, client: nil).map(\.hasPushToken) == [false])
    }
}
