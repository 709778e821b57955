import Accounts
import Audit
import Crypto
import CryptoExtras
import Devices
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Sign-ins by a key of the device.
struct BiometricTests {
    private static let key = P256.Signing.PrivateKey()
    private static let publicKey = Harness.spki(key.publicKey)

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a key that was set up signs in, and the answer is the one that apps read`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.phone()
            let setUp = try await harness.setUp(Self.publicKey, ada)
            #expect(setUp.status == .ok)
            #expect(try setUp.json()["status"] as? String == "enabled")
            let id = try #require(try setUp.json()["biometricId"] as? String)
            let asked = try await harness.post(Harness.biometric + "/challenge", #"{"deviceId":"\#(Harness.phone)"}"#)
            #expect(Set(try asked.json().keys) == ["challenge", "expiresAt"])
            let challenge = try asked.decode(BiometricChallengeResponse.self)
            #expect(challenge.expiresAt == (harness.composition.environment.now() + .seconds(300)).internetDate)
            #expect(Data(base64Encoded: challenge.challenge)?.count == 32)
            let answer = try await harness.verify(challenge.challenge, Self.key.signed(challenge.challenge))
            #expect(answer.status == .ok, "\(answer.text)")
            let tokens = try answer.decode(SignInResponse.self)
            #expect(tokens.user.email == "ada@example.com" && tokens.expiresIn == 3600)
            let claims = try Self.claims(tokens.accessToken)
            #expect(claims["amr"] as? [String] == ["hwk", "user"] && claims["acr"] == nil, "no scan of a face")
            #expect(claims["deviceId"] as? String == Harness.phone && claims["aud"] as? String == "mwsim")
            let listed = try #require(try await harness.devices(ada).first?.biometric)
            #expect(listed.biometricId == id && listed.uses == 1 && listed.cloneSigns == 0)
            let summary = try await harness.send(.get, "/api/mobile/wallet/summary", .bearing(tokens.accessToken))
            #expect(try summary.decode(WalletSummaryResponse.self).biometricEnabled)
        }
    }

    @Test func `RSA device keys sign in by PKCS1 and PSS, also when their base64 has line breaks`() async throws {
        let signer = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let spki = signer.publicKey.pemRepresentation.split(separator: "\n").filter { !$0.hasPrefix("-") }
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let lines = spki.joined(separator: "\\n")
            #expect(try await harness.setUp(lines, ada, type: "fingerprint").status == .ok)
            for padding in [_RSA.Signing.Padding.insecurePKCS1v1_5, .PSS] {
                let challenge = try await harness.challenge()
                let digest = SHA256.hash(data: try #require(Data(base64Encoded: challenge)))
                let signature = try signer.signature(for: digest, padding: padding).rawRepresentation
                let answer = try await harness.verify(challenge, signature.base64EncodedString())
                #expect(answer.status == .ok, "\(answer.text)")
                let claims = try Self.claims(answer.decode(SignInResponse.self).accessToken)
                #expect(claims["amr"] as? [String] == ["hwk", "fpt"])
            }
        }
    }

    // T-126
    @Test func `what the published app sends in the place of keys and signatures is refused by name`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let key = try await harness.setUp("mwsim_\(Harness.phone)_1700000000000", ada)
            try harness.expect(key, is: "placeholder_key", 400)
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok)
            let challenge = try await harness.challenge()
            let signature = try await harness.verify(challenge, "signed_\(challenge)_1700000000000")
            try harness.expect(signature, is: "placeholder_signature", 400)
        }
    }

    // T-126
    @Test(arguments: ["AAAA", "", "not base64!", Harness.spki(key.publicKey) + "AAAA", Harness.p384, Harness.rsa1024])
    func `attack: a weak or unreadable key, or one of another kind, gets 400 invalid_public_key`(
        _ publicKey: String
    ) async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            try harness.expect(try await harness.setUp(publicKey, ada), is: "invalid_public_key", 400)
            let challenge = try await harness.post(
                Harness.biometric + "/challenge",
                #"{"deviceId":"\#(Harness.phone)"}"#
            )
            try harness.expect(challenge, is: "biometric_not_enabled", 400)
        }
    }

    // T-125
    @Test func `attack: a device-key signature counts once, for its own challenge and device`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let bob = try await harness.phone("bob@example.com", Harness.otherPhone)
            let bobs = P256.Signing.PrivateKey()
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok)
            #expect(try await harness.setUp(Harness.spki(bobs.publicKey), bob).status == .ok)
            let (own, others) = (try await harness.challenge(), try await harness.challenge(Harness.otherPhone))
            for response in [
                try await harness.verify(others, Self.key.signed(others)),
                try await harness.verify(own, Self.key.signed(others)),
                try await harness.verify(own, bobs.signed(own)),
                try await harness.verify(others, Self.key.signed(others), Harness.otherPhone),
            ] { try harness.expect(response, is: "unauthorized", 401) }
            #expect(try await harness.verify(own, Self.key.signed(own)).status == .ok)
            try harness.expect(try await harness.verify(own, Self.key.signed(own)), is: "unauthorized", 401)
            #expect(try await harness.devices(ada).first?.biometric?.cloneSigns == 1, "sent again")
            #expect(try await harness.devices(bob).first?.biometric?.cloneSigns == 0)
        }
    }

    // T-125
    @Test func `attack: of eight concurrent device-key signatures over one challenge one signs in`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok)
            let challenge = try await harness.challenge()
            let good = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await harness.verify(challenge, Self.key.signed(challenge)).status.code }
                }
                return try await group.reduce(into: 0) { count, status in count += status == 200 ? 1 : 0 }
            }
            #expect(good == 1)
        }
    }

    @Test func `attack: a disabled account's device-key sign-in gets 401, a revoked device's is answered as unknown`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok)
            let challenge = try await harness.challenge()
            _ = try await harness.composition.accounts.disable("ada@example.com")
            let disabled = try await harness.verify(challenge, Self.key.signed(challenge))
            try harness.expect(disabled, is: "unauthorized", 401)
            let bob = try await harness.phone("bob@example.com", Harness.otherPhone)
            #expect(try await harness.setUp(Self.publicKey, bob).status == .ok)
            let bobs = try await harness.challenge(Harness.otherPhone)
            #expect(try await harness.send(.delete, "/api/mobile/devices/\(bob.device)", bob.bearer).status == .ok)
            let revoked = try await harness.verify(bobs, Self.key.signed(bobs), Harness.otherPhone)
            try harness.expect(revoked, is: "biometric_not_enabled", 400)
            let unknown = try await harness.verify(bobs, Self.key.signed(bobs), UUID().uuidString)
            try harness.expect(unknown, is: "biometric_not_enabled", 400)
        }
    }

    // T-125
    @Test func `attack: the eleventh request for a challenge gets 429, and the challenge still takes its signature`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok)
            let challenge = try await harness.challenge()
            for _ in 0..<9 { #expect(try await harness.challenge() == challenge) }
            let over = try await harness.post(Harness.biometric + "/challenge", #"{"deviceId":"\#(Harness.phone)"}"#)
            try harness.expect(over, is: "rate_limited", 429)
            #expect(try await harness.verify(challenge, Self.key.signed(challenge)).status == .ok)
        }
    }

    // T-125
    @Test func `attack: after five wrong device-key signatures a right one gets 429, until 61 seconds later`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Self.publicKey, ada).status == .ok)
            let challenge = try await harness.challenge()
            let wrong = try P256.Signing.PrivateKey().signed(challenge)
            for _ in 0..<5 { try harness.expect(try await harness.verify(challenge, wrong), is: "unauthorized", 401) }
            for signature in [try Self.key.signed(challenge), wrong] {
                try harness.expect(try await harness.verify(challenge, signature), is: "rate_limited", 429)
            }
            harness.time.advance(by: .seconds(61))
            #expect(try await harness.verify(challenge, Self.key.signed(challenge)).status == .ok)
        }
    }

    private static func claims(_ token: String) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}

extension Harness {
    static let p384 = P384.Signing.PrivateKey().publicKey.derRepresentation.base64EncodedString()
    /// Made by OpenSSL 3.0.
    static let rsa1024 =
        "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCiJFZ8OG++jU7NP5vRAezpA4Ch1SOWr7OlXfyK92BZWSto+VnzxfqYnkZKhYLnM9oQL9OU"
        + "12R7Xn54nTwUblWCRv/vJPA4zp4So5pbjf720uV7wMW0W4hx0PrZ5oiHN7mySG3/goS1ul8gm/JmAWWn/bupJhIUvX3ukS5QwNEdGQIDAQAB"
}
