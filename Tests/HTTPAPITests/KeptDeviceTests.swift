import Accounts
import Crypto
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import SignIn
import Storage
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// The device on which the owner changes a password or an address: everything that others left under its name goes.
struct KeptDeviceTests {
    private static let new = "a horse of another colour"
    private static let mobileSignIn = "/api/mobile/auth/login/password"
    private static let change = #"{"currentPassword": "\#(Bench.password)", "newPassword": "\#(new)"}"#

    @Test func `attack: a thief under the owner's device id keeps no key, credential or push token`() async throws {
        try await Self.withOwner { bench, own in
            // The attacker reads the mailbox too; a password alone gives the phone no key.
            let thief = try await Self.mailed(own, bench)
            let stolen = try await bench.registerPhone(Bench.phone, .bearing(thief.accessToken), pushToken: "his-own")
            try #require(stolen.status == .ok, "\(stolen.text)")
            let credential = try stolen.decode(DeviceRegistrationResponse.self).deviceCredential
            let key = P256.Signing.PrivateKey()
            let session = PhoneOfTest(deviceID: own.deviceID, device: own.device, credential: credential, tokens: thief)
            try #require(try await bench.setUp(Bench.spki(key.publicKey), session).status == .ok)
            let challenge = try await bench.challenge()
            // The owner's app still presents the credential that the attacker's registration has made void.
            let shown = own.bearer.adding(.deviceCredential, own.credential)
            #expect(try await bench.post("/auth/password", Self.change, shown).status == .ok)
            let signed = try await bench.verify(challenge, key.signed(challenge))
            try bench.expect(signed, is: "biometric_not_enabled", 400)
            for left in [credential, own.credential] {
                #expect(try await !bench.isLinked(nil, "ada@example.com", credential: left))
            }
            let device = try #require(try await bench.devices(own).first)
            #expect(device.deviceId == Bench.phone && device.biometric == nil && !device.hasPushToken)
            let out = try await bench.send(.get, "/api/mobile/devices", .bearing(thief.accessToken))
            try bench.expect(out, is: "unauthorized", 401)
        }
    }

    @Test func `attack: a thief's session without a device gives the owner's no key`() async throws {
        try await Self.withOwner { bench, own in
            let body = #"{"email": "ada@example.com", "password": "\#(Bench.password)"}"#
            let thief = try await bench.post(Self.mobileSignIn, body).decode(SignInResponse.self)
            let key = P256.Signing.PrivateKey()
            let session = PhoneOfTest(
                deviceID: own.deviceID,
                device: own.device,
                credential: own.credential,
                tokens: thief
            )
            #expect(try await bench.setUp(Bench.spki(key.publicKey), session).status == .notFound)
            let shown = own.bearer.adding(.deviceCredential, own.credential)
            #expect(try await bench.post("/auth/password", Self.change, shown).status == .ok)
            #expect(try #require(try await bench.devices(own).first).biometric == nil)
            #expect(try await bench.isLinked(nil, "ada@example.com", credential: own.credential), "it was shown")
        }
    }

    @Test func `attack: a credential that the request does not show is void after the change`() async throws {
        try await Self.withOwner { bench, own in
            #expect(try await bench.post("/auth/password", Self.change, own.bearer).status == .ok)
            #expect(try await !bench.isLinked(nil, "ada@example.com", credential: own.credential))
            #expect(try await bench.devices(own).map(\.deviceId) == [Bench.phone], "the device is the owner's still")
            let again = try await bench.registerPhone(Bench.phone, own.bearer)
            let fresh = try again.decode(DeviceRegistrationResponse.self).deviceCredential
            #expect(try await bench.isLinked(nil, "ada@example.com", credential: fresh), "and registers anew")
        }
    }

    @Test func `the key that the session was opened with stays`() async throws {
        try await Self.withOwner { bench, own in
            let key = P256.Signing.PrivateKey()
            try #require(try await bench.setUp(Bench.spki(key.publicKey), own).status == .ok)
            let first = try await bench.challenge()
            let opened = try await bench.verify(first, key.signed(first)).decode(SignInResponse.self)
            let changed = try await bench.post("/auth/password", Self.change, .bearing(opened.accessToken))
            #expect(changed.status == .ok, "\(changed.text)")
            let second = try await bench.challenge()
            #expect(try await bench.verify(second, key.signed(second)).status == .ok)
        }
    }

    @Test func `attack: a changed address leaves a thief no key on the device that asked for it`() async throws {
        try await Self.withOwner(.mailedCode) { bench, own in
            let thief = try await Self.mailed(own, bench)
            let key = P256.Signing.PrivateKey()
            let session = PhoneOfTest(
                deviceID: own.deviceID,
                device: own.device,
                credential: own.credential,
                tokens: thief
            )
            try #require(try await bench.setUp(Bench.spki(key.publicKey), session).status == .ok)
            let challenge = try await bench.challenge()
            _ = try await bench.mails()
            let asked = try await bench.post("/auth/email", #"{"email":"lovelace@example.com"}"#, own.bearer)
            try #require(asked.status == .ok, "\(asked.text)")
            let path = try #require(try await bench.mails().last).path
            #expect(try await bench.submit(path, "password=correct+horse+battery").status == .ok)
            let signed = try await bench.verify(challenge, key.signed(challenge))
            try bench.expect(signed, is: "biometric_not_enabled", 400)
            #expect(try await !bench.isLinked(nil, "lovelace@example.com", credential: own.credential))
            #expect(try await bench.devices(own).map(\.deviceId) == [Bench.phone], "the session that asked stands")
        }
    }

    @Test(arguments: [true, false])
    func `attack: a thief's cookie on the owner's device goes, and the one that the request shows stays`(
        _ isNotMe: Bool
    ) async throws {
        try await Self.withOwner { bench, own in
            let thief = SessionID(UUIDBits(high: 7, low: 7))
            let mint = bench.composition.deviceCookies
            let (his, hers) = (mint.cookie(for: thief), mint.cookie(for: SessionID(UUIDBits(high: 7, low: 8))))
            let account = try await bench.composition.accounts.show("ada@example.com").account.id
            let links = DeviceLinks(
                environment: bench.composition.environment,
                unitOfWork: bench.composition.unitOfWork,
                store: bench.composition.deviceLinks
            )
            for cookie in [his, hers] {
                try await bench.composition.unitOfWork.run { [device = own.device] transaction in
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
                try await bench.isLinked("vst_device=\(cookie.expose())", "ada@example.com")
            }
            for cookie in [his, hers] { #expect(try await linked(cookie)) }
            if isNotMe {
                let ending = bench.composition.ending.descent
                try await bench.composition.unitOfWork.run { [device = own.device] transaction in
                    _ = try ending.disown(thief, of: account, keeping: device, in: transaction)
                }
            } else {
                let shown = own.bearer.adding(.cookie, "vst_device=\(hers.expose())")
                #expect(try await bench.post("/auth/password", Self.change, shown).status == .ok)
            }
            #expect(try await !linked(his))
            #expect(try await linked(hers))
        }
    }

    @Test(arguments: [true, false])
    func `the session that stays is refreshed, though its only cookie was not shown or was another's`(
        _ isNotMe: Bool
    ) async throws {
        try await Bench.run { bench in
            let first = try await bench.signIn()
            let own = try await bench.signIn(with: first.device)
            if isNotMe {
                let disowned = try await bench.disown(try bench.row(first.login), own)
                #expect(disowned.status == .ok, "\(disowned.text)")
            } else {
                let set = #"{"newPassword": "\#(Bench.password)"}"#
                #expect(try await bench.post("/auth/password", set, own.bearer).status == .ok)
            }
            let refreshed = try await bench.send(.post, "/auth/refresh", .bearing(own.tokens.refreshToken))
            #expect(refreshed.status == .ok, "\(refreshed.text)")
        }
    }

    /// A session by a mailed code that names the owner's phone.
    private static func mailed(_ own: PhoneOfTest, _ bench: Bench) async throws -> SignInResponse {
        try await bench.signIn("ada@example.com", on: own.deviceID, showing: "none", proof: .mailedCode).tokens
    }

    /// Ada, with a password, signed in on her phone.
    private static func withOwner(
        _ proof: AuthenticationProof = .password,
        _ body: @Sendable (Bench, PhoneOfTest) async throws -> Void
    ) async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let set = try await bench.post("/auth/password", #"{"newPassword": "\#(Bench.password)"}"#, ada.bearer)
            try #require(set.status == .ok, "\(set.text)")
            try await body(bench, try await bench.phone(proof: proof))
        }
    }
}
