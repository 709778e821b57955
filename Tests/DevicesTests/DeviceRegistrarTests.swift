import Kernel
import Testing

@testable import Devices

/// Registration of devices, and their owners.
struct DeviceRegistrarTests {
    private let harness = DeviceHarness()
    private typealias Harness = DeviceHarness

    // T-084
    @Test func `a device gets a credential of 256 bits for ninety days, and none of it is kept but its hash`()
        async throws
    {
        guard case .registered(let credential, let expiresAt) = try await harness.outcome() else {
            Issue.record("refused")
            return
        }
        #expect(Base64URL.decode(credential.expose())?.count == 32)
        #expect(expiresAt == harness.time.instant + .seconds(90 * 24 * 3600))
        let device = try harness.device()
        #expect(device.account == nil && device.credential?.digest == Digest256(sha256: credential))
        #expect(device.label == "Phone" && device.platform == .ios)
    }

    // T-102
    @Test func `the owner gets a notice of each device that has a credential from then on, and of no other`()
        async throws
    {
        _ = try await harness.register(by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil))
        #expect(harness.notices.all == ["\(Harness.ada) app credentialAdded sv"], "by a session")
        let kept = DeviceHarness()
        let credential = try await kept.register()
        #expect(kept.notices.all.isEmpty, "it is nobody's yet")
        _ = try await kept.signIn(Harness.ada, showing: credential, requester: "fr")
        #expect(kept.notices.all == ["\(Harness.ada) app credentialAdded fr"], "by a sign-in")
        _ = try await kept.signIn(Harness.ada, showing: credential, requester: "fr")
        #expect(kept.notices.all.count == 1, "it was theirs")
        let bare = DeviceHarness()
        _ = try await bare.signIn(Harness.ada, platform: .ios, requester: "fr")
        #expect(bare.notices.all.isEmpty, "a name proves nothing")
        _ = try await bare.register(by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil))
        #expect(bare.notices.all == ["\(Harness.ada) app credentialAdded sv"])
        let opened = DeviceHarness()
        let first = try await opened.register()
        _ = try await opened.signIn(Harness.ada, showing: first)
        #expect(opened.notices.all.isEmpty, "the account was opened on it")
    }

    // T-102
    @Test
    func `the owner gets a notice where a session replaces a credential without presenting it, and not otherwise`()
        async throws
    {
        let first = try await harness.register()
        _ = try await harness.signIn(Harness.ada, showing: first)
        let second = try #require(try await harness.register(showing: first))
        #expect(harness.notices.all.isEmpty, "with the old one it is a renewal")
        let outcome = try await harness.outcome(
            by: .person(Harness.ada, isFresh: false, session: Harness.session, on: nil)
        )
        #expect(outcome == .stepUpRequired)
        #expect(harness.notices.all.isEmpty, "nothing has changed")
        let third = try #require(
            try await harness.register(by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil))
        )
        #expect(harness.notices.all == ["\(Harness.ada) app credentialReplaced sv"])
        #expect(try await harness.proves(third, Harness.ada))
        #expect(try await !harness.proves(second, Harness.ada))
    }

    @Test func `while nobody owns it everybody registers it again, and the last credential counts`() async throws {
        let first = try await harness.register()
        let second = try await harness.register()
        #expect(first != nil && second != nil && first != second)
        let device = try #require(try await harness.signIn(Harness.ada, showing: second))
        #expect(try await harness.proves(second, Harness.ada))
        #expect(try await !harness.proves(first, Harness.ada))
        #expect(try harness.device().id == device)
        #expect(harness.store.all.count == 1)
    }

    // T-248
    @Test func `attack: a session registers at most fifty devices, and a sign-in on a further one gets no device`()
        async throws
    {
        try await harness.unitOfWork.run { [harness] transaction in
            for number in 1..<DeviceRegistrar.mostOwned {
                let device = RegisteredDevice(
                    id: DeviceID(UUIDBits(high: 7, low: UInt64(number))),
                    account: Harness.ada,
                    name: DeviceName(client: "app", device: "device \(number)"),
                    credential: nil,
                    key: nil,
                    validity: DeviceValidity(
                        createdAt: harness.time.instant,
                        expiresAt: harness.time.instant + (number == 1 ? .seconds(60) : .seconds(900))
                    )
                )
                try harness.store.insert(device, in: transaction)
            }
        }
        let owned = try await harness.register(
            by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil)
        )
        #expect(owned != nil, "the fiftieth")
        try await harness.unitOfWork.run { [harness] in try harness.store.delete(try harness.device().id, in: $0) }
        let spare = RegisteredDevice(
            id: DeviceID(UUIDBits(high: 8, low: 1)),
            account: Harness.ada,
            name: DeviceName(client: "other", device: "spare"),
            credential: nil,
            key: nil,
            validity: DeviceValidity(createdAt: harness.time.instant, expiresAt: harness.time.instant + .seconds(900))
        )
        try await harness.unitOfWork.run { [harness] in try harness.store.insert(spare, in: $0) }
        #expect(
            try await harness.outcome(by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil))
                == .tooMany
        )
        #expect(try await harness.signIn(Harness.ada, platform: .ios) == nil, "a sign-in continues without a device")
        #expect(try await harness.signIn(Harness.bob, platform: .ios) != nil, "another person has room")
        try await harness.unitOfWork.run { [harness] in try harness.store.delete(try harness.device().id, in: $0) }
        harness.time.advance(by: .seconds(60))
        #expect(try await harness.signIn(Harness.ada, platform: .ios) != nil, "one has expired")
    }

    // T-083
    @Test func `attack: registering an owned device by its id alone is refused and changes nothing`() async throws {
        let credential = try await harness.register(pushToken: "owners-token")
        _ = try await harness.signIn(Harness.ada, showing: credential)
        let before = try harness.device()
        #expect(try await harness.outcome() == .taken)
        #expect(try await harness.outcome(showing: Secret("guess")) == .taken)
        #expect(
            try await harness.outcome(by: .person(Harness.bob, isFresh: true, session: Harness.session, on: nil))
                == .taken
        )
        #expect(try await harness.outcome(pushToken: "thiefs-token") == .taken)
        #expect(try harness.device() == before)
        #expect(try await harness.proves(credential, Harness.ada))
        #expect(try await harness.pushToken(of: before.id) == "owners-token")
    }

    @Test func `the owner registers it again after a fresh sign-in, or with the old credential`() async throws {
        let credential = try await harness.register()
        let device = try await harness.signIn(Harness.ada, showing: credential)
        #expect(
            try await harness.outcome(by: .person(Harness.ada, isFresh: false, session: Harness.session, on: nil))
                == .stepUpRequired
        )
        let second = try await harness.register(
            by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil),
            label: "New name"
        )
        #expect(try harness.device().label == "New name")
        #expect(try await harness.proves(second, Harness.ada))
        #expect(try await !harness.proves(credential, Harness.ada))
        harness.time.advance(by: .seconds(80 * 24 * 3600))
        let third = try await harness.register(showing: second)
        #expect(try await harness.proves(third, Harness.ada))
        #expect(try harness.device().id == device)
        #expect(try harness.device().validity.expiresAt == harness.time.instant + DeviceRegistrar.lifetime)
    }

    // T-083
    @Test func `attack: a credential given before the device had an owner is void once it has one`()
        async throws
    {
        let attackers = try await harness.register(pushToken: "thiefs-token")
        let device = try #require(try await harness.signIn(Harness.ada))
        #expect(try await !harness.proves(attackers, Harness.ada))
        #expect(try harness.device().credential == nil)
        #expect(try await harness.pushToken(of: device) == nil, "nobody else is told what the owner is told")
        #expect(try await harness.outcome(showing: attackers) == .taken)
        #expect(try harness.device().id == device)
    }

    // T-083
    @Test func `attack: a sign-in by another account does not change the owner of a device`() async throws {
        let credential = try await harness.register()
        _ = try await harness.signIn(Harness.ada, showing: credential)
        #expect(try await harness.signIn(Harness.bob) == nil)
        #expect(try await harness.signIn(Harness.bob, showing: credential) == nil)
        #expect(try harness.device().account == Harness.ada)
        #expect(try await harness.proves(credential, Harness.ada))
        #expect(try await !harness.proves(credential, Harness.bob))
    }

    @Test func `a sign-in on the own device leaves its credential as it is, and is noted`() async throws {
        let credential = try await harness.register()
        let first = try await harness.signIn(Harness.ada, showing: credential)
        harness.time.advance(by: .seconds(60))
        #expect(try await harness.signIn(Harness.ada) == first)
        #expect(try await harness.proves(credential, Harness.ada))
        #expect(try await harness.owned.list(of: Harness.ada, client: "app").first?.lastUsedAt == harness.time.instant)
    }

    @Test func `a sign-in is proven to be on a device that it makes the account's, or whose credential it presents`()
        async throws
    {
        let credential = try await harness.register()
        #expect(try await harness.signInDevice(Harness.ada, showing: credential)?.isProven == true)
        #expect(try await harness.signInDevice(Harness.ada, showing: credential)?.isProven == true)
        #expect(try await harness.signInDevice(Harness.ada)?.isProven == false, "it says the name, as anybody can")
        #expect(try await harness.signInDevice(Harness.ada, showing: Secret("guess"))?.isProven == false)
        let renewed = try await harness.register(showing: credential)
        #expect(try await harness.signInDevice(Harness.ada, showing: renewed)?.isProven == true)
    }

    // T-099
    @Test func `attack: a credential given to a session on no proven device does not prove the device`()
        async throws
    {
        let credential = try await harness.register()
        let device = try #require(try await harness.signIn(Harness.ada, showing: credential))
        let attacker = SessionID(UUIDBits(high: 5, low: 66))
        let others = DeviceID(UUIDBits(high: 6, low: 66))
        for on in [nil, others] {
            let given = try await harness.register(by: .person(Harness.ada, isFresh: true, session: attacker, on: on))
            #expect(
                try await harness.signInDevice(Harness.ada, showing: given) == SignInDevice(id: device, isProven: false)
            )
            let renewed = try await harness.register(showing: given)
            #expect(
                try await harness.signInDevice(Harness.ada, showing: renewed)?.isProven == false,
                "nor does its successor"
            )
        }
        let own = try await harness.register(by: .person(Harness.ada, isFresh: true, session: attacker, on: device))
        #expect(try await harness.signInDevice(Harness.ada, showing: own)?.isProven == true)
    }

    @Test func `an unregistered device becomes the account's at a sign-in that names its platform`() async throws {
        #expect(try await harness.signIn(Harness.ada) == nil)
        let device = try #require(try await harness.signIn(Harness.ada, platform: .android))
        let made = try harness.device()
        #expect(made.id == device && made.account == Harness.ada && made.platform == .android && made.credential == nil)
        #expect(harness.audited == [.owned])
    }

    @Test func `a device belongs to the person who has just signed in, else it waits for a sign-in`()
        async throws
    {
        try await harness.register(by: .person(Harness.ada, isFresh: false, session: Harness.session, on: nil))
        #expect(try harness.device().account == nil)
        let credential = try await harness.register(
            by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil)
        )
        #expect(try harness.device().account == Harness.ada)
        #expect(try await harness.proves(credential, Harness.ada))
    }

    @Test func `a revoked or expired device can be registered again, as nobody's, without anything of the old one`()
        async throws
    {
        let credential = try await harness.register()
        let device = try #require(try await harness.signIn(Harness.ada, showing: credential))
        #expect(try await harness.owned.revoke(device, of: Harness.ada, client: "app"))
        #expect(try await !harness.proves(credential, Harness.ada))
        try await harness.register(showing: credential)
        #expect(try harness.device().account == nil && harness.device().id != device)
        let second = try #require(try await harness.signIn(Harness.ada))
        harness.time.advance(by: DeviceRegistrar.lifetime)
        #expect(try await harness.outcome() != .taken)
        #expect(try harness.device().account == nil && harness.device().id != second)
    }

    @Test func `an expired device stays in use for its owner`() async throws {
        let device = try await harness.signIn(Harness.ada, platform: .ios)
        harness.time.advance(by: DeviceRegistrar.lifetime + .seconds(1))
        let credential = try await harness.register(
            by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil)
        )
        #expect(try harness.device().id == device)
        #expect(try await harness.proves(credential, Harness.ada))
    }

    // T-099
    @Test func `attack: a session ended after its request was admitted sets no credential, push token or owner`()
        async throws
    {
        let own = try await harness.register(by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil))
        let before = try harness.device()
        harness.origins.end(Harness.session)
        let attacker = Registrant.person(Harness.ada, isFresh: true, session: Harness.session, on: before.id)
        #expect(try await harness.outcome(by: attacker) == .taken)
        #expect(try await harness.proves(own, Harness.ada), "the owner's credential stands")
        let kept = try await harness.owned.keep(
            Secret("his-own"),
            of: Harness.name,
            Harness.ada,
            client: "app",
            from: Harness.session
        )
        #expect(!kept)
        let fresh = DeviceHarness()
        fresh.origins.end(Harness.session)
        _ = try await fresh.register(by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil))
        #expect(try fresh.device().account == nil, "it is nobody's, as if no session had come along")
    }

    @Test func `a push token that is set by the credential came of where the credential did`() async throws {
        let given = try await harness.register(
            by: .person(Harness.ada, isFresh: true, session: Harness.session, on: nil)
        )
        _ = try await harness.register(showing: given, pushToken: "another")
        #expect(harness.origins.all.last == "pushToken by credential")
    }

    @Test func `push tokens are encrypted for their device`() async throws {
        try await harness.register(pushToken: "token-of-the-phone")
        let device = try harness.device().id
        #expect(try await harness.pushToken(of: device) == "token-of-the-phone")
    }
}
