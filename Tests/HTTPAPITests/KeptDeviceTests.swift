import Accounts
import Crypto
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import SignIn
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The device on which the owner changes a password or an address: everything that others left under its name goes.
struct KeptDeviceTests {
    private static let new = "a horse of another colour"
    private static let mobileSignIn = "/api/mobile/auth/login/password"
    private static let change = #"{"currentPassword": "\#(Harness.password)", "newPassword": "\#(new)"}"#

    // T-113
    @Test func `attack: the owner's password change voids the key, credential and push token that an attacker set`()
        async throws
    {
        try await Self.withOwner { harness, own in
            // The attacker reads the mailbox too; a password alone gives the phone no key.
            let attacker = try await Self.mailed(own, harness)
            let stolen = try await harness.registerPhone(
                Harness.phone,
                .bearing(attacker.accessToken),
                pushToken: "his-own"
            )
            try #require(stolen.status == .ok, "\(stolen.text)")
            let credential = try stolen.decode(DeviceRegistrationResponse.self).deviceCredential
            let key = P256.Signing.PrivateKey()
            let session = PhoneOfTest(
                deviceID: own.deviceID,
                device: own.device,
                credential: credential,
                tokens: attacker
            )
            try #require(try await harness.setUp(Harness.spki(key.publicKey), session).status == .ok)
            let challenge = try await harness.challenge()
            // The owner's app still presents the credential that the attacker's registration has made void.
            let shown = own.bearer.adding(.deviceCredential, own.credential)
            #expect(try await harness.post("/auth/password", Self.change, shown).status == .ok)
            let signed = try await harness.verify(challenge, key.signed(challenge))
            try harness.expect(signed, is: "biometric_not_enabled", 400)
            for left in [credential, own.credential] {
                #expect(try await !harness.isLinked(nil, "ada@example.com", credential: left))
            }
            let device = try #require(try await harness.devices(own).first)
            #expect(device.deviceId == Harness.phone && device.biometric == nil && !device.hasPushToken)
            let out = try await harness.send(.get, "/api/mobile/devices", .bearing(attacker.accessToken))
            try harness.expect(out, is: "unauthorized", 401)
        }
    }

    // T-113
    @Test func `attack: a session without a device can't give the owner's device a key`() async throws {
        try await Self.withOwner { harness, own in
            let body = #"{"email": "ada@example.com", "password": "\#(Harness.password)"}"#
            let attacker = try await harness.post(Self.mobileSignIn, body).decode(SignInResponse.self)
            let key = P256.Signing.PrivateKey()
            let session = PhoneOfTest(
                deviceID: own.deviceID,
                device: own.device,
                credential: own.credential,
                tokens: attacker
            )
            #expect(try await harness.setUp(Harness.spki(key.publicKey), session).status == .notFound)
            let shown = own.bearer.adding(.deviceCredential, own.credential)
            #expect(try await harness.post("/auth/password", Self.change, shown).status == .ok)
            #expect(try #require(try await harness.devices(own).first).biometric == nil)
            #expect(try await harness.isLinked(nil, "ada@example.com", credential: own.credential), "it was shown")
        }
    }

    // T-113
    @Test func `attack: a password change voids a device credential that its request did not present`() async throws {
        try await Self.withOwner { harness, own in
            #expect(try await harness.post("/auth/password", Self.change, own.bearer).status == .ok)
            #expect(try await !harness.isLinked(nil, "ada@example.com", credential: own.credential))
            #expect(
                try await harness.devices(own).map(\.deviceId) == [Harness.phone],
                "the device is the owner's still"
            )
            let again = try await harness.registerPhone(Harness.phone, own.bearer)
            let fresh = try again.decode(DeviceRegistrationResponse.self).deviceCredential
            #expect(try await harness.isLinked(nil, "ada@example.com", credential: fresh), "and registers anew")
        }
    }

    @Test func `a password change in a session opened by a device key keeps that key`() async throws {
        try await Self.withOwner { harness, own in
            let key = P256.Signing.PrivateKey()
            try #require(try await harness.setUp(Harness.spki(key.publicKey), own).status == .ok)
            let first = try await harness.challenge()
            let opened = try await harness.verify(first, key.signed(first)).decode(SignInResponse.self)
            let changed = try await harness.post("/auth/password", Self.change, .bearing(opened.accessToken))
            #expect(changed.status == .ok, "\(changed.text)")
            let second = try await harness.challenge()
            #expect(try await harness.verify(second, key.signed(second)).status == .ok)
        }
    }

    // T-113
    @Test func `attack: an address change removes the key that an attacker set on the device that asked for it`()
        async throws
    {
        try await Self.withOwner(.mailedCode) { harness, own in
            let attacker = try await Self.mailed(own, harness)
            let key = P256.Signing.PrivateKey()
            let session = PhoneOfTest(
                deviceID: own.deviceID,
                device: own.device,
                credential: own.credential,
                tokens: attacker
            )
            try #require(try await harness.setUp(Harness.spki(key.publicKey), session).status == .ok)
            let challenge = try await harness.challenge()
            _ = try await harness.mails()
            let asked = try await harness.post("/auth/email", #"{"email":"lovelace@example.com"}"#, own.bearer)
            try #require(asked.status == .ok, "\(asked.text)")
            let path = try #require(try await harness.mails().last).path
            #expect(try await harness.submit(path, "password=correct+horse+battery").status == .ok)
            let signed = try await harness.verify(challenge, key.signed(challenge))
            try harness.expect(signed, is: "biometric_not_enabled", 400)
            #expect(try await !harness.isLinked(nil, "lovelace@example.com", credential: own.credential))
            #expect(try await harness.devices(own).map(\.deviceId) == [Harness.phone], "the session that asked stands")
        }
    }

    // T-113
    @Test(arguments: [true, false])
    func `attack: the owner's remedy unlinks an attacker's cookie on the device, and keeps the presented one`(
        _ isNotMe: Bool
    ) async throws {
        try await Self.withOwner { harness, own in
            let attacker = SessionID(UUIDBits(high: 7, low: 7))
            let factory = harness.composition.deviceCookies
            let (his, hers) = (factory.cookie(for: attacker), factory.cookie(for: SessionID(UUIDBits(high: 7, low: 8))))
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            let links = DeviceLinks(
                environment: harness.composition.environment,
                unitOfWork: harness.composition.unitOfWork,
                store: harness.composition.stores.people.devices.links
            )
            for cookie in [his, hers] {
                try await harness.composition.unitOfWork.run { [device = own.device] transaction in
                    _ = try links.signIn(
                        account,
                        client: "mwsim",
                        by: ["face"],
                        presented: [],
                        newCookie: Digest256(sha256: cookie.expose()),
                        registered: device,
                        in: transaction
                    )
                }
            }
            let linked = { (cookie: Secret) in
                try await harness.isLinked("vst_device=\(cookie.expose())", "ada@example.com")
            }
            for cookie in [his, hers] { #expect(try await linked(cookie)) }
            if isNotMe {
                let ending = harness.composition.ending.descent
                try await harness.composition.unitOfWork.run { [device = own.device] transaction in
                    _ = try ending.disown(attacker, of: account, keeping: device, in: transaction)
                }
            } else {
                let shown = own.bearer.adding(.cookie, "vst_device=\(hers.expose())")
                #expect(try await harness.post("/auth/password", Self.change, shown).status == .ok)
            }
            #expect(try await !linked(his))
            #expect(try await linked(hers))
        }
    }

    @Test(arguments: [true, false])
    func `a kept session still refreshes when its device cookie was not presented or is removed`(
        _ isNotMe: Bool
    ) async throws {
        try await Harness.run { harness in
            let first = try await harness.signIn()
            let own = try await harness.signIn(with: first.device)
            if isNotMe {
                let disowned = try await harness.disown(try harness.row(first.login), own)
                #expect(disowned.status == .ok, "\(disowned.text)")
            } else {
                let set = #"{"newPassword": "\#(Harness.password)"}"#
                #expect(try await harness.post("/auth/password", set, own.bearer).status == .ok)
            }
            let refreshed = try await harness.send(.post, "/auth/refresh", .bearing(own.tokens.refreshToken))
            #expect(refreshed.status == .ok, "\(refreshed.text)")
        }
    }

    /// A session by a mailed code that names the owner's phone.
    private static func mailed(_ own: PhoneOfTest, _ harness: Harness) async throws -> SignInResponse {
        try await harness.signIn("ada@example.com", on: own.deviceID, showing: "none", proof: .mailedCode).tokens
    }

    /// Ada, with a password, signed in on her phone.
    private static func withOwner(
        _ proof: AuthenticationProof = .password,
        _ body: @Sendable (Harness, PhoneOfTest) async throws -> Void
    ) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let set = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            try #require(set.status == .ok, "\(set.text)")
            try await body(harness, try await harness.phone(proof: proof))
        }
    }
}
