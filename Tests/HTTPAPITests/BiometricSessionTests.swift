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
import Storage
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// What a key needs to be set up, and what the sessions that it opens need ever after.
struct BiometricSessionTests {
    private static let key = P256.Signing.PrivateKey()
    private static let publicKey = Bench.spki(key.publicKey)

    @Test func `attack: a stolen token that is old sets up no key, and a refresh makes it no younger`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            bench.time.advance(by: .seconds(601))
            try bench.expect(try await bench.setUp(Self.publicKey, ada), is: "step_up_required", 403)
            let fresh = try await bench.refreshMobile(ada.tokens.refreshToken).decode(RefreshResponse.self)
            let body =
                #"{"deviceId":"\#(Bench.phone)","publicKey":"\#(Self.publicKey)","biometricType":"face"}"#
            let again = try await bench.post(Bench.biometric + "/setup", body, .bearing(fresh.accessToken))
            try bench.expect(again, is: "step_up_required", 403)
        }
    }

    @Test func `attack: another account's device, another device's session and an unknown device get no key`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            let bob = try await bench.phone("bob@example.com", Bench.otherPhone)
            for (device, headers) in [
                (Bench.phone, bob.bearer), (Bench.otherPhone, ada.bearer), (UUID().uuidString, ada.bearer),
            ] {
                let body = #"{"deviceId":"\#(device)","publicKey":"\#(Self.publicKey)","biometricType":"face"}"#
                let response = try await bench.post(Bench.biometric + "/setup", body, headers)
                try bench.expect(response, is: "device_not_found", 404)
            }
            let second = try await bench.phone("ada@example.com", UUID().uuidString)
            let body = #"{"deviceId":"\#(Bench.phone)","publicKey":"\#(Self.publicKey)","biometricType":"face"}"#
            let response = try await bench.post(Bench.biometric + "/setup", body, second.bearer)
            try bench.expect(response, is: "device_not_found", 404)
        }
    }

    @Test func `attack: a key is replaced by the old key's word or after a mailed code, and in no other way`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            #expect(try await bench.setUp(Self.publicKey, ada).status == .ok)
            #expect(try await bench.setUp(Self.publicKey, ada).status == .ok, "the same key again changes nothing")
            let new = P256.Signing.PrivateKey()
            let bare = try await bench.setUp(Bench.spki(new.publicKey), ada)
            try bench.expect(bare, is: "step_up_required", 403)
            let challenge = try await bench.challenge()
            let forged = try await bench.setUp(
                Bench.spki(new.publicKey),
                ada,
                oldKeySignature: new.signed(Self.replacement(challenge, new.publicKey))
            )
            try bench.expect(forged, is: "step_up_required", 403)
            let agreed = try await bench.setUp(
                Bench.spki(new.publicKey),
                ada,
                oldKeySignature: Self.key.signed(Self.replacement(challenge, new.publicKey))
            )
            #expect(agreed.status == .ok, "\(agreed.text)")
            let mailed = try await bench.signIn(
                "ada@example.com",
                on: Bench.phone,
                showing: ada.credential,
                methods: ["otp"]
            )
            #expect(try await bench.setUp(Self.publicKey, mailed).status == .ok)
            let facts = try await bench.composition.audit.newest(50).map(\.entry.fact)
            #expect(facts.filter { $0 == "device.key-added" }.count == 1)
            #expect(facts.filter { $0 == "device.key-replaced" }.count == 2)
            let told = try await bench.composition.mail.list([.queued], limit: 9)
            #expect(told.map(\.recipient) == Array(repeating: "ada@example.com", count: 3), "of each new key, by mail")
            #expect(told.allSatisfy { $0.mail.kind == .notice })
        }
    }

    @Test func `attack: a session that a key opened never refreshes without the key`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            #expect(try await bench.setUp(Self.publicKey, ada).status == .ok)
            let challenge = try await bench.challenge()
            let opened = try await bench.verify(challenge, Self.key.signed(challenge)).decode(SignInResponse.self)
            let bare = try await bench.refreshMobile(opened.refreshToken)
            try bench.expect(bare, is: "unauthorized", 401)
            let digest = Base64URL.encode(Digest256(sha256: opened.refreshToken).bytes)
            let text = "vestibule-refresh-v1\nmwsim\n\(Bench.phone)\n\(digest)\n7"
            let proof =
                #","deviceId":"\#(Bench.phone)","deviceSignature":"\#(try Self.key.signed(text))","deviceCount":7"#
            let fresh = try await bench.refreshMobile(opened.refreshToken, proof)
            #expect(fresh.status == .ok, "\(fresh.text)")
            #expect(try await bench.refreshMobile(ada.tokens.refreshToken).status == .ok, "the password's goes on")
        }
    }

    @Test func `a stale bearer does no harm where the key is the sign-in`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            #expect(try await bench.setUp(Self.publicKey, ada).status == .ok)
            let body = #"{"deviceId":"\#(Bench.phone)"}"#
            let asked = try await bench.post(Bench.biometric + "/challenge", body, .bearing("stale"))
            let challenge = try asked.decode(BiometricChallengeResponse.self).challenge
            let signature = try Self.key.signed(challenge)
            #expect(try await bench.verify(challenge, signature, Bench.phone, .bearing("stale")).status == .ok)
        }
    }

    private static func replacement(_ challenge: String, _ new: P256.Signing.PublicKey) -> String {
        let point = Base64URL.encode(Array(new.x963Representation))
        return "vestibule-key-replacement-v1\n\(challenge)\n\(Base64URL.encode(Digest256(sha256: point).bytes))"
    }
}
