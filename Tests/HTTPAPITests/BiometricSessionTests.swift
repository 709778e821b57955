import Accounts
import Audit
import Crypto
import Devices
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Mail
import MemoryStore
import Operations
import Sessions
import Settings
import SignIn
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The conditions for setting up a key, and those for the sessions that it opens.
struct BiometricSessionTests {
    private static let key = P256.Signing.PrivateKey()
    private static let publicKey = Harness.spki(key.publicKey)

    // T-099
    @Test func `attack: a token older than ten minutes sets up no device key, also after a refresh`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            harness.time.advance(by: .seconds(601))
            try harness.expect(try await harness.setUp(Self.publicKey, ada), is: "step_up_required", 403)
            let fresh = try await harness.refreshMobile(ada.tokens.refreshToken).decode(RefreshResponse.self)
            let body =
                #"{"deviceId":"\#(Harness.phone)","publicKey":"\#(Self.publicKey)","biometricType":"face"}"#
            let again = try await harness.post(Harness.biometric + "/setup", body, .bearing(fresh.accessToken))
            try harness.expect(again, is: "step_up_required", 403)
        }
    }

    // T-099
    @Test func `attack: a device key is refused for an unknown device, another account's and another session's`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let bob = try await harness.phone("bob@example.com", Harness.otherPhone)
            for (device, headers) in [
                (Harness.phone, bob.bearer), (Harness.otherPhone, ada.bearer), (UUID().uuidString, ada.bearer),
            ] {
                let body = #"{"deviceId":"\#(device)","publicKey":"\#(Self.publicKey)","biometricType":"face"}"#
                let response = try await harness.post(Harness.biometric + "/setup", body, headers)
                try harness.expect(response, is: "device_not_found", 404)
            }
            let second = try await harness.phone("ada@example.com", UUID().uuidString)
            let body = #"{"deviceId":"\#(Harness.phone)","publicKey":"\#(Self.publicKey)","biometricType":"face"}"#
            let response = try await harness.post(Harness.biometric + "/setup", body, second.bearer)
            try harness.expect(response, is: "device_not_found", 404)
        }
    }

    // T-099
    @Test func `attack: a device key is replaced only with a signature of the old key or after a mailed code`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok)
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok, "the same key again changes nothing")
            let new = P256.Signing.PrivateKey()
            let bare = try await harness.setUp(Harness.spki(new.publicKey), ada)
            try harness.expect(bare, is: "step_up_required", 403)
            let challenge = try await harness.challenge()
            let forged = try await harness.setUp(
                Harness.spki(new.publicKey),
                ada,
                oldKeySignature: new.signed(Self.replacement(challenge, new.publicKey))
            )
            try harness.expect(forged, is: "step_up_required", 403)
            let agreed = try await harness.setUp(
                Harness.spki(new.publicKey),
                ada,
                oldKeySignature: Self.key.signed(Self.replacement(challenge, new.publicKey))
            )
            #expect(agreed.status == .ok, "\(agreed.text)")
            let mailed = try await harness.signIn(
                "ada@example.com",
                on: Harness.phone,
                showing: ada.credential,
                proof: .mailedCode
            )
            #expect(try await harness.setUp(Self.publicKey, mailed).status == .ok)
            let events = try await harness.composition.audit.newest(50).map(\.entry.event)
            #expect(events.filter { $0 == "device.key-added" }.count == 1)
            #expect(events.filter { $0 == "device.key-replaced" }.count == 2)
            let told = try await harness.composition.mail.list([.queued], limit: 9)
            #expect(told.map(\.recipient) == Array(repeating: "ada@example.com", count: 3), "of each new key, by mail")
            #expect(told.allSatisfy { $0.mail.kind == .notice })
        }
    }

    // T-110
    @Test func `attack: setting up a device key sends no mail to an address that is not proved`() async throws {
        try await Harness.run { harness in
            try await harness.register("eve@example.com")
            let eve = try await harness.phone("eve@example.com")
            _ = try await harness.mails()
            #expect(try await harness.setUp(Self.publicKey, eve).status == .ok)
            #expect(try await harness.mails().isEmpty)
        }
    }

    // T-094
    @Test func `attack: a session opened by a device key does not refresh without that key's signature`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok)
            let challenge = try await harness.challenge()
            let opened = try await harness.verify(challenge, Self.key.signed(challenge)).decode(SignInResponse.self)
            let bare = try await harness.refreshMobile(opened.refreshToken)
            try harness.expect(bare, is: "unauthorized", 401)
            let digest = Base64URL.encode(Digest256(sha256: opened.refreshToken).bytes)
            let text = "vestibule-refresh-v1\nmwsim\n\(Harness.phone)\n\(digest)\n7"
            let proof =
                #","deviceId":"\#(Harness.phone)","deviceSignature":"\#(try Self.key.signed(text))","deviceCount":7"#
            let fresh = try await harness.refreshMobile(opened.refreshToken, proof)
            #expect(fresh.status == .ok, "\(fresh.text)")
            #expect(try await harness.refreshMobile(ada.tokens.refreshToken).status == .ok, "the password's goes on")
        }
    }

    // T-093
    /// Seed 000 writes a refresh as `{refreshToken}` alone.
    @Test func `where the client's setting says so, a key's session refreshes with the token alone and its credential`()
        async throws
    {
        try await Harness.run { harness in
            let (ada, opened) = try await Self.keySession(harness)
            #expect(try MailLoginTests.claims(opened.accessToken)["amr"] as? [String] == ["hwk", "user"])
            let body = #"{"refreshToken":"\#(opened.refreshToken)"}"#
            let shown: HTTPFields = [.deviceCredential: ada.credential]
            let answer = try await harness.post("/api/mobile/auth/token/refresh", body, shown)
            #expect(answer.status == .ok, "\(answer.text)")
            let fresh = try answer.decode(RefreshResponse.self)
            #expect(fresh.expiresIn == 3600 && fresh.refreshToken != nil)
            let claims = try MailLoginTests.claims(fresh.accessToken)
            #expect(claims["amr"] as? [String] ?? [] == [], "no key was shown")
            #expect(claims["deviceId"] as? String == Harness.phone)
            // The key's signature restores its methods.
            let signed = try Self.proof(try #require(fresh.refreshToken), count: 9)
            let again = try await harness.refreshMobile(try #require(fresh.refreshToken), signed)
            let proven = try again.decode(RefreshResponse.self)
            #expect(try MailLoginTests.claims(proven.accessToken)["amr"] as? [String] == ["hwk", "user"])
        }
    }

    // T-093
    @Test func `attack: a key's session does not refresh with the token alone or with another or old credential`()
        async throws
    {
        try await Harness.run { harness in
            let (ada, opened) = try await Self.keySession(harness)
            let bob = try await harness.phone("bob@example.com", Harness.otherPhone)
            let body = #"{"refreshToken":"\#(opened.refreshToken)"}"#
            func refresh(_ credential: String?) async throws -> TestResponse {
                let shown: HTTPFields = credential.map { [.deviceCredential: $0] } ?? [:]
                return try await harness.post("/api/mobile/auth/token/refresh", body, shown)
            }
            for credential in [nil, bob.credential, Harness.phone, String(ada.credential.dropLast())] {
                try harness.expect(try await refresh(credential), is: "unauthorized", 401)
            }
            _ = try await harness.registerPhone(Harness.phone, [.deviceCredential: ada.credential])
            try harness.expect(try await refresh(ada.credential), is: "unauthorized", 401)
        }
    }

    @Test func `attack: with keySessions set to key, a device credential does not refresh a key's session`()
        async throws
    {
        try await Harness.run { settings in
            for index in settings.clients.indices { settings.clients[index].refresh.keySessions = .key }
        } _: { harness in
            let (ada, opened) = try await Self.keySession(harness)
            let body = #"{"refreshToken":"\#(opened.refreshToken)"}"#
            let shown: HTTPFields = [.deviceCredential: ada.credential]
            let answer = try await harness.post("/api/mobile/auth/token/refresh", body, shown)
            try harness.expect(answer, is: "unauthorized", 401)
            let signed = try Self.proof(opened.refreshToken, count: 7)
            #expect(try await harness.refreshMobile(opened.refreshToken, signed).status == .ok)
        }
    }

    // T-093
    @Test func `attack: a session refreshed by credential instead of the key can't change a proved address`()
        async throws
    {
        try await Harness.run { harness in
            let (ada, _) = try await Self.keySession(harness)
            // Cooled off: a session of the key counts for more than a password from now on.
            harness.time.advance(by: .seconds(25 * 3600))
            let opened = try await harness.signIn(by: Self.key)
            let shown: HTTPFields = [.deviceCredential: ada.credential]
            let body = #"{"refreshToken":"\#(opened.refreshToken)"}"#
            let fresh = try await harness.post("/api/mobile/auth/token/refresh", body, shown).decode(
                RefreshResponse.self
            )
            let change = #"{"email":"new@example.com"}"#
            let refused = try await harness.post("/auth/email", change, .bearing(fresh.accessToken))
            try harness.expect(refused, is: "step_up_required", 403)
            #expect(try await harness.post("/auth/email", change, .bearing(opened.accessToken)).status == .ok)
        }
    }

    /// A phone whose owner signed in by its key.
    private static func keySession(_ harness: Harness) async throws -> (PhoneOfTest, SignInResponse) {
        let ada = try await harness.phone()
        #expect(try await harness.setUp(publicKey, ada).status == .ok)
        return (ada, try await harness.signIn(by: key))
    }

    /// The key's signature for a refresh, as members of its body.
    private static func proof(_ token: String, count: Int) throws -> String {
        let digest = Base64URL.encode(Digest256(sha256: token).bytes)
        let signature = try key.signed("vestibule-refresh-v1\nmwsim\n\(Harness.phone)\n\(digest)\n\(count)")
        return #","deviceId":"\#(Harness.phone)","deviceSignature":"\#(signature)","deviceCount":\#(count)"#
    }

    @Test func `a stale bearer does no harm where the key is the sign-in`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok)
            let body = #"{"deviceId":"\#(Harness.phone)"}"#
            let asked = try await harness.post(Harness.biometric + "/challenge", body, .bearing("stale"))
            let challenge = try asked.decode(BiometricChallengeResponse.self).challenge
            let signature = try Self.key.signed(challenge)
            #expect(try await harness.verify(challenge, signature, Harness.phone, .bearing("stale")).status == .ok)
        }
    }

    private static func replacement(_ challenge: String, _ new: P256.Signing.PublicKey) -> String {
        let point = Base64URL.encode(Array(new.x963Representation))
        return "vestibule-key-replacement-v1\n\(challenge)\n\(Base64URL.encode(Digest256(sha256: point).bytes))"
    }
}
