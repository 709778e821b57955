import Kernel
import Testing

@testable import Devices

/// Registration of devices, and their owners.
struct DeviceRegistrarTests {
    private let bench = DeviceBench()
    private typealias B = DeviceBench

    @Test func `a device gets a credential of 256 bits for ninety days, and none of it is kept but its hash`()
        async throws
    {
        guard case .registered(let credential, let expiresAt) = try await bench.outcome() else {
            Issue.record("refused")
            return
        }
        #expect(Base64URL.decode(credential.expose())?.count == 32)
        #expect(expiresAt == bench.time.instant + .seconds(90 * 24 * 3600))
        let device = try bench.device()
        #expect(device.account == nil && device.credential == Digest256(sha256: credential))
        #expect(device.label == "Phone" && device.platform == .ios)
    }

    @Test func `the owner gets a notice of each device that has a credential from then on, and of no other`()
        async throws
    {
        _ = try await bench.register(by: .person(B.ada, isFresh: true, session: B.session, on: nil))
        #expect(bench.notices.all == ["\(B.ada) app credentialAdded sv"], "by a session")
        let kept = DeviceBench()
        let credential = try await kept.register()
        #expect(kept.notices.all.isEmpty, "it is nobody's yet")
        _ = try await kept.signIn(B.ada, showing: credential, language: "fr")
        #expect(kept.notices.all == ["\(B.ada) app credentialAdded fr"], "by a sign-in")
        _ = try await kept.signIn(B.ada, showing: credential, language: "fr")
        #expect(kept.notices.all.count == 1, "it was theirs")
        let bare = DeviceBench()
        _ = try await bare.signIn(B.ada, platform: .ios, language: "fr")
        #expect(bare.notices.all.isEmpty, "a name proves nothing")
        _ = try await bare.register(by: .person(B.ada, isFresh: true, session: B.session, on: nil))
        #expect(bare.notices.all == ["\(B.ada) app credentialAdded sv"])
        let opened = DeviceBench()
        let first = try await opened.register()
        _ = try await opened.signIn(B.ada, showing: first)
        #expect(opened.notices.all.isEmpty, "the account was opened on it")
    }

    @Test
    func `the owner gets a notice where a session replaces a credential without presenting it, and not otherwise`()
        async throws
    {
        let first = try await bench.register()
        _ = try await bench.signIn(B.ada, showing: first)
        let second = try #require(try await bench.register(showing: first))
        #expect(bench.notices.all.isEmpty, "with the old one it is a renewal")
        let outcome = try await bench.outcome(by: .person(B.ada, isFresh: false, session: B.session, on: nil))
        #expect(outcome == .stepUpRequired)
        #expect(bench.notices.all.isEmpty, "nothing has changed")
        let third = try #require(
            try await bench.register(by: .person(B.ada, isFresh: true, session: B.session, on: nil))
        )
        #expect(bench.notices.all == ["\(B.ada) app credentialReplaced sv"])
        #expect(try await bench.proves(third, B.ada))
        #expect(try await !bench.proves(second, B.ada))
    }

    @Test func `while nobody owns it everybody registers it again, and the last credential counts`() async throws {
        let first = try await bench.register()
        let second = try await bench.register()
        #expect(first != nil && second != nil && first != second)
        let device = try #require(try await bench.signIn(B.ada, showing: second))
        #expect(try await bench.proves(second, B.ada))
        #expect(try await !bench.proves(first, B.ada))
        #expect(try bench.device().id == device)
        #expect(bench.store.all.count == 1)
    }

    @Test func `attack: a fresh session registers fifty devices and no more, and signs in on a further one without it`()
        async throws
    {
        try await bench.unitOfWork.run { [bench] transaction in
            for number in 1..<DeviceRegistrar.mostOwned {
                let device = RegisteredDevice(
                    id: DeviceID(UUIDBits(high: 7, low: UInt64(number))),
                    account: B.ada,
                    client: "app",
                    name: "device \(number)",
                    credential: nil,
                    key: nil,
                    createdAt: bench.time.instant,
                    expiresAt: bench.time.instant + (number == 1 ? .seconds(60) : .seconds(900)),
                    revokedAt: nil
                )
                try bench.store.insert(device, in: transaction)
            }
        }
        let owned = try await bench.register(by: .person(B.ada, isFresh: true, session: B.session, on: nil))
        #expect(owned != nil, "the fiftieth")
        try await bench.unitOfWork.run { [bench] in try bench.store.delete(try bench.device().id, in: $0) }
        let spare = RegisteredDevice(
            id: DeviceID(UUIDBits(high: 8, low: 1)),
            account: B.ada,
            client: "other",
            name: "spare",
            credential: nil,
            key: nil,
            createdAt: bench.time.instant,
            expiresAt: bench.time.instant + .seconds(900),
            revokedAt: nil
        )
        try await bench.unitOfWork.run { [bench] in try bench.store.insert(spare, in: $0) }
        #expect(try await bench.outcome(by: .person(B.ada, isFresh: true, session: B.session, on: nil)) == .tooMany)
        #expect(try await bench.signIn(B.ada, platform: .ios) == nil, "a sign-in continues without a device")
        #expect(try await bench.signIn(B.bob, platform: .ios) != nil, "another person has room")
        try await bench.unitOfWork.run { [bench] in try bench.store.delete(try bench.device().id, in: $0) }
        bench.time.advance(by: .seconds(60))
        #expect(try await bench.signIn(B.ada, platform: .ios) != nil, "one has expired")
    }

    @Test func `attack: the id of an owned device alone gets nothing, and changes nothing`() async throws {
        let credential = try await bench.register(pushToken: "owners-token")
        _ = try await bench.signIn(B.ada, showing: credential)
        let before = try bench.device()
        #expect(try await bench.outcome() == .taken)
        #expect(try await bench.outcome(showing: Secret("guess")) == .taken)
        #expect(try await bench.outcome(by: .person(B.bob, isFresh: true, session: B.session, on: nil)) == .taken)
        #expect(try await bench.outcome(pushToken: "thiefs-token") == .taken)
        #expect(try bench.device() == before)
        #expect(try await bench.proves(credential, B.ada))
        #expect(try await bench.pushToken(of: before.id) == "owners-token")
    }

    @Test func `the owner registers it again after a fresh sign-in, or with the old credential`() async throws {
        let credential = try await bench.register()
        let device = try await bench.signIn(B.ada, showing: credential)
        #expect(
            try await bench.outcome(by: .person(B.ada, isFresh: false, session: B.session, on: nil)) == .stepUpRequired
        )
        let second = try await bench.register(
            by: .person(B.ada, isFresh: true, session: B.session, on: nil),
            label: "New name"
        )
        #expect(try bench.device().label == "New name")
        #expect(try await bench.proves(second, B.ada))
        #expect(try await !bench.proves(credential, B.ada))
        bench.time.advance(by: .seconds(80 * 24 * 3600))
        let third = try await bench.register(showing: second)
        #expect(try await bench.proves(third, B.ada))
        #expect(try bench.device().id == device)
        #expect(try bench.device().expiresAt == bench.time.instant + DeviceRegistrar.lifetime)
    }

    @Test func `attack: a credential that was taken while the device had no owner is void once it has one`()
        async throws
    {
        let thiefs = try await bench.register(pushToken: "thiefs-token")
        let device = try #require(try await bench.signIn(B.ada))
        #expect(try await !bench.proves(thiefs, B.ada))
        #expect(try bench.device().credential == nil)
        #expect(try await bench.pushToken(of: device) == nil, "nobody else is told what the owner is told")
        #expect(try await bench.outcome(showing: thiefs) == .taken)
        #expect(try bench.device().id == device)
    }

    @Test func `attack: a sign-in does not move another person's device`() async throws {
        let credential = try await bench.register()
        _ = try await bench.signIn(B.ada, showing: credential)
        #expect(try await bench.signIn(B.bob) == nil)
        #expect(try await bench.signIn(B.bob, showing: credential) == nil)
        #expect(try bench.device().account == B.ada)
        #expect(try await bench.proves(credential, B.ada))
        #expect(try await !bench.proves(credential, B.bob))
    }

    @Test func `a sign-in on the own device leaves its credential as it is, and is noted`() async throws {
        let credential = try await bench.register()
        let first = try await bench.signIn(B.ada, showing: credential)
        bench.time.advance(by: .seconds(60))
        #expect(try await bench.signIn(B.ada) == first)
        #expect(try await bench.proves(credential, B.ada))
        #expect(try await bench.owned.list(of: B.ada, client: "app").first?.lastUsedAt == bench.time.instant)
    }

    @Test func `a sign-in is proven to be on a device that it makes the account's, or whose credential it presents`()
        async throws
    {
        let credential = try await bench.register()
        #expect(try await bench.signInDevice(B.ada, showing: credential)?.isProven == true)
        #expect(try await bench.signInDevice(B.ada, showing: credential)?.isProven == true)
        #expect(try await bench.signInDevice(B.ada)?.isProven == false, "it says the name, as anybody can")
        #expect(try await bench.signInDevice(B.ada, showing: Secret("guess"))?.isProven == false)
        let renewed = try await bench.register(showing: credential)
        #expect(try await bench.signInDevice(B.ada, showing: renewed)?.isProven == true)
    }

    @Test func `attack: a credential that a session on no proven device was given proves no more than that session`()
        async throws
    {
        let credential = try await bench.register()
        let device = try #require(try await bench.signIn(B.ada, showing: credential))
        let thief = SessionID(UUIDBits(high: 5, low: 66))
        let others = DeviceID(UUIDBits(high: 6, low: 66))
        for on in [nil, others] {
            let given = try await bench.register(by: .person(B.ada, isFresh: true, session: thief, on: on))
            #expect(try await bench.signInDevice(B.ada, showing: given) == SignInDevice(id: device, isProven: false))
            let renewed = try await bench.register(showing: given)
            #expect(try await bench.signInDevice(B.ada, showing: renewed)?.isProven == false, "nor does its successor")
        }
        let own = try await bench.register(by: .person(B.ada, isFresh: true, session: thief, on: device))
        #expect(try await bench.signInDevice(B.ada, showing: own)?.isProven == true)
    }

    @Test func `an unregistered device becomes the account's at a sign-in that names its platform`() async throws {
        #expect(try await bench.signIn(B.ada) == nil)
        let device = try #require(try await bench.signIn(B.ada, platform: .android))
        let made = try bench.device()
        #expect(made.id == device && made.account == B.ada && made.platform == .android && made.credential == nil)
        #expect(bench.audited == [.owned])
    }

    @Test func `a device belongs to the person who has just signed in, else it waits for a sign-in`()
        async throws
    {
        try await bench.register(by: .person(B.ada, isFresh: false, session: B.session, on: nil))
        #expect(try bench.device().account == nil)
        let credential = try await bench.register(by: .person(B.ada, isFresh: true, session: B.session, on: nil))
        #expect(try bench.device().account == B.ada)
        #expect(try await bench.proves(credential, B.ada))
    }

    @Test func `a revoked or expired device can be registered again, as nobody's, without anything of the old one`()
        async throws
    {
        let credential = try await bench.register()
        let device = try #require(try await bench.signIn(B.ada, showing: credential))
        #expect(try await bench.owned.revoke(device, of: B.ada, client: "app"))
        #expect(try await !bench.proves(credential, B.ada))
        try await bench.register(showing: credential)
        #expect(try bench.device().account == nil && bench.device().id != device)
        let second = try #require(try await bench.signIn(B.ada))
        bench.time.advance(by: DeviceRegistrar.lifetime)
        #expect(try await bench.outcome() != .taken)
        #expect(try bench.device().account == nil && bench.device().id != second)
    }

    @Test func `an expired device stays in use for its owner`() async throws {
        let device = try await bench.signIn(B.ada, platform: .ios)
        bench.time.advance(by: DeviceRegistrar.lifetime + .seconds(1))
        let credential = try await bench.register(by: .person(B.ada, isFresh: true, session: B.session, on: nil))
        #expect(try bench.device().id == device)
        #expect(try await bench.proves(credential, B.ada))
    }

    @Test func `attack: a session that a remedy has ended since the request was let in sets up nothing`() async throws {
        let own = try await bench.register(by: .person(B.ada, isFresh: true, session: B.session, on: nil))
        let before = try bench.device()
        bench.origins.end(B.session)
        let thief = Registrant.person(B.ada, isFresh: true, session: B.session, on: before.id)
        #expect(try await bench.outcome(by: thief) == .taken)
        #expect(try await bench.proves(own, B.ada), "the owner's credential stands")
        let kept = try await bench.owned.keep(Secret("his-own"), of: B.name, B.ada, client: "app", from: B.session)
        #expect(!kept)
        let fresh = DeviceBench()
        fresh.origins.end(B.session)
        _ = try await fresh.register(by: .person(B.ada, isFresh: true, session: B.session, on: nil))
        #expect(try fresh.device().account == nil, "it is nobody's, as if no session had come along")
    }

    @Test func `a push token that is set by the credential came of where the credential did`() async throws {
        let given = try await bench.register(by: .person(B.ada, isFresh: true, session: B.session, on: nil))
        _ = try await bench.register(showing: given, pushToken: "another")
        #expect(bench.origins.all.last == "pushToken by credential")
    }

    @Test func `push tokens are encrypted for their device`() async throws {
        try await bench.register(pushToken: "token-of-the-phone")
        let device = try bench.device().id
        #expect(try await bench.pushToken(of: device) == "token-of-the-phone")
    }
}
