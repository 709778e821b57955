import Kernel
import Testing

@testable import Devices

struct DeviceLinksTests {
    private let time = SettableEnvironment()
    private let store = MemoryDeviceLinkStore()
    private let unitOfWork = ImmediateUnitOfWork()
    private let links: DeviceLinks
    private let ada = AccountID(UUIDBits(high: 0xA, low: 1))
    private let bob = AccountID(UUIDBits(high: 0xB, low: 1))

    init() { links = DeviceLinks(environment: time.environment, unitOfWork: unitOfWork, store: store) }

    @Test func `the first sign-in links a new device with the issued cookie for ninety days`() async throws {
        let signIn = try await signIn(ada, newCookie: 1)
        #expect(!signIn.isProlonged)
        let link = try #require(store.all.first)
        #expect(store.all.count == 1)
        #expect(link.device == signIn.device && link.account == ada && link.client == "app")
        #expect(link.cookie == cookie(1))
        #expect(link.validity.createdAt == time.instant && link.lastSeenAt == time.instant)
        #expect(link.validity.expiresAt == time.instant + .seconds(90 * 24 * 3600))
    }

    @Test func `the own cookie stays in use, and its time starts over`() async throws {
        let first = try await signIn(ada, newCookie: 1)
        let created = time.instant
        time.advance(by: .seconds(80 * 24 * 3600))
        let second = try await signIn(ada, presented: [1], newCookie: 2)
        #expect(second == .init(device: first.device, isProlonged: true))
        #expect(store.all.count == 1, "no second link")
        #expect(store.all[0].validity.createdAt == created)
        #expect(store.all[0].lastSeenAt == time.instant)
        #expect(store.all[0].validity.expiresAt == time.instant + DeviceLinks.lifetime)
    }

    // T-120
    @Test func `attack: a copy of one account's cookie proves nothing for another that signs in later`() async throws {
        let first = try await signIn(ada, newCookie: 1)
        let second = try await signIn(bob, presented: [1], newCookie: 2)
        #expect(!second.isProlonged && second.device != first.device)
        #expect(try await proves(1, bob) == nil, "whoever copied Ada's cookie before has nothing of Bob's")
        #expect(try await proves(2, ada) == nil)
        #expect(try await proves(1, ada) == first.device)
        #expect(try await proves(2, bob) == second.device)
    }

    // T-182
    @Test(arguments: [["pwd"], ["otp"], []])
    func `attack: a link not made by a face or a key proves no person, and the next sign-in gets a new cookie`(
        _ methods: [String]
    ) async throws {
        let first = try await signIn(ada, newCookie: 1, by: methods, alsoFor: ["other"])
        #expect(store.all.map(\.provesPerson) == [false, false])
        // An attacker with a copy of the cookie waits until the owner signs in with a face in that browser.
        time.advance(by: .seconds(60))
        let second = try await signIn(ada, presented: [1], newCookie: 2, alsoFor: ["other"])
        #expect(second == .init(device: first.device, isProlonged: false), "the same device under a new cookie")
        #expect(try await proves(1, ada) == nil)
        #expect(try await proves(2, ada) == first.device)
        for link in store.all { #expect(link.provesPerson == (link.cookie == cookie(2)), "\(link.client)") }
        #expect(store.all.count { $0.provesPerson } == 2, "for either client")
    }

    @Test(arguments: [["face"], ["hwk", "user"], ["swk", "user", "mfa"], ["face", "otp"]])
    func `a link that a face or a key made stays one when a password prolongs it`(_ methods: [String]) async throws {
        _ = try await signIn(ada, newCookie: 1, by: methods)
        time.advance(by: .seconds(60))
        #expect(try await signIn(ada, presented: [1], newCookie: 2, by: ["pwd"]).isProlonged)
        #expect(store.all.map(\.methods) == [methods] && store.all.map(\.provesPerson) == [true])
        #expect(store.all.map(\.validity.expiresAt) == [time.instant + DeviceLinks.lifetime])
    }

    // T-120
    @Test func `two accounts that take turns in one browser stay known side by side`() async throws {
        let first = try await signIn(ada, newCookie: 1)
        let second = try await signIn(bob, presented: [1], newCookie: 2)
        for round in 0..<3 {
            time.advance(by: .seconds(80 * 24 * 3600))
            let again = try await signIn(ada, presented: [2, 1], newCookie: 10 + UInt64(round))
            #expect(again == .init(device: first.device, isProlonged: true))
            #expect(
                try await signIn(bob, presented: [2, 1], newCookie: 20 + UInt64(round))
                    == .init(device: second.device, isProlonged: true)
            )
        }
        #expect(store.all.count == 2)
    }

    // T-046
    @Test func `attack: an injected cookie that the server never issued is never adopted`() async throws {
        let signIn = try await signIn(ada, presented: [66], newCookie: 1)
        #expect(!signIn.isProlonged)
        #expect(store.all.map(\.cookie) == [cookie(1)])
        #expect(try await proves(66, ada) == nil)
    }

    // T-120
    @Test func `attack: another client's device cookie is not adopted, and the sign-in gets a new device`() async throws
    {
        let first = try await signIn(ada, client: "other", newCookie: 1)
        let second = try await signIn(ada, client: "app", presented: [1], newCookie: 2)
        #expect(!second.isProlonged && second.device != first.device)
        #expect(try await proves(1, ada) == nil, "for app")
    }

    // T-122
    @Test func `a cookie proves its device up to its last millisecond and no longer`() async throws {
        let signIn = try await signIn(ada, newCookie: 1)
        time.advance(by: DeviceLinks.lifetime - .milliseconds(1))
        #expect(try await proves(1, ada) == signIn.device)
        #expect(try await isLive(signIn.device, ada))
        time.advance(by: .milliseconds(1))
        #expect(try await proves(1, ada) == nil)
        #expect(try await !isLive(signIn.device, ada))
    }

    // T-122
    @Test func `attack: an expired cookie links nothing, neither for its account nor for another`() async throws {
        let first = try await signIn(ada, newCookie: 1)
        time.advance(by: DeviceLinks.lifetime)
        let own = try await signIn(ada, presented: [1], newCookie: 2)
        let other = try await signIn(bob, presented: [1], newCookie: 3)
        #expect(!own.isProlonged && !other.isProlonged)
        #expect(Set([first.device, own.device, other.device]).count == 3)
    }

    // T-122
    @Test func `attack: a revoked cookie links nothing, neither for its account nor for another`() async throws {
        let first = try await signIn(ada, newCookie: 1)
        store.revoke(ada, at: time.instant)
        #expect(try await proves(1, ada) == nil)
        #expect(try await !isLive(first.device, ada))
        let own = try await signIn(ada, presented: [1], newCookie: 2)
        let other = try await signIn(bob, presented: [1], newCookie: 3)
        #expect(!own.isProlonged && !other.isProlonged)
        #expect(Set([first.device, own.device, other.device]).count == 3)
    }

    // T-122
    @Test func `attack: a revoked own link is not healed by another account's live one`() async throws {
        _ = try await signIn(ada, newCookie: 1)
        _ = try await signIn(bob, presented: [1], newCookie: 2)
        store.revoke(ada, at: time.instant)
        let again = try await signIn(ada, presented: [2, 1], newCookie: 3)
        #expect(!again.isProlonged)
        #expect(try await proves(1, ada) == nil)
        #expect(try await proves(2, ada) == nil)
        #expect(try await proves(2, bob) != nil, "bob's stays in use")
    }

    // T-120
    @Test func `a cookie proves nothing for an account that it was never used with`() async throws {
        let signIn = try await signIn(ada, newCookie: 1)
        #expect(try await proves(1, bob) == nil)
        #expect(try await !isLive(signIn.device, bob))
    }

    @Test func `a device is known by the cookie that links it and by no other`() async throws {
        let signIn = try await signIn(ada, newCookie: 1)
        let other = try await self.signIn(ada, newCookie: 2)
        #expect(try await links.isDevice(signIn.device, linkedBy: cookie(1), account: ada, client: "app"))
        #expect(try await !links.isDevice(signIn.device, linkedBy: cookie(2), account: ada, client: "app"))
        #expect(try await !links.isDevice(other.device, linkedBy: cookie(1), account: ada, client: "app"))
        #expect(try await !links.isDevice(signIn.device, linkedBy: cookie(1), account: bob, client: "app"))
        #expect(try await !links.isDevice(signIn.device, linkedBy: cookie(1), account: ada, client: "other"))
    }

    private func cookie(_ number: UInt64) -> Digest256 {
        var bytes: [UInt8] = Array(repeating: 0, count: 32)
        bytes[31] = UInt8(number)
        return Digest256(bytes) ?? .zero
    }

    private func signIn(
        _ account: AccountID,
        client: String = "app",
        presented: [UInt64] = [],
        newCookie: UInt64,
        by methods: [String] = ["face"],
        alsoFor others: [String] = []
    ) async throws -> DeviceLinks.SignIn {
        let (links, presented, newCookie) = (links, presented.map(cookie), cookie(newCookie))
        return try await unitOfWork.run { transaction in
            try links.signIn(
                account,
                client: client,
                by: methods,
                alsoFor: others,
                presented: presented,
                newCookie: newCookie,
                in: transaction
            )
        }
    }

    private func proves(_ number: UInt64, _ account: AccountID) async throws -> DeviceID? {
        let (links, cookie) = (links, cookie(number))
        return try await unitOfWork.run { transaction in
            try links.link(provedBy: [cookie], of: account, client: "app", in: transaction)?.device
        }
    }

    private func isLive(_ device: DeviceID, _ account: AccountID) async throws -> Bool {
        let links = links
        return try await unitOfWork.run { transaction in try links.isLive(device, of: account, in: transaction) }
    }
}
