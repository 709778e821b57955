import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

/// The keys that sign id tokens by RS256, and nothing else (OpenID Connect Core §15.1, Discovery §3).
struct IdentityRingTests {
    private let fixture: TokenFixture

    init() throws {
        fixture = try TokenFixture()
        try fixture.ring.openIdentity(now: TokenFixture.now)
    }

    private static func claims() -> IDTokenClaims {
        IDTokenClaims(
            account: TokenFixture.environment.newID(),
            clientID: "web",
            session: TokenFixture.environment.newID(),
            issuedAt: TokenFixture.now,
            expiresAt: TokenFixture.now + .seconds(600),
            authenticatedAt: TokenFixture.now - .seconds(30),
            methods: ["face"],
            contextClass: "face",
            nonce: nil
        )
    }

    private func header(_ token: String) throws -> [String: String] {
        let bytes = try #require(Base64URL.decode(token.split(separator: ".")[0]))
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String])
    }

    private func published() throws -> [[String: String]] {
        let set = try JSONSerialization.jsonObject(with: Data(fixture.ring.keySet)) as? [String: Any]
        return try #require(set?["keys"] as? [[String: String]])
    }

    private func identityKeys() throws -> [KeySummary] { fixture.ring.keys.filter { $0.use == .identity } }

    /// Signs any header with the key that signs id tokens.
    private func forged(_ type: String, _ payload: [UInt8]) throws -> String {
        let key = try #require(fixture.ring.identity).snapshot.current
        let kid = key.verificationKey.thumbprint.text
        let input = Forge.input(
            #"{"alg":"RS256","kid":"\#(kid)","typ":"\#(type)"}"#,
            String(decoding: payload, as: UTF8.self)
        )
        return input + "." + Base64URL.encode(try key.signature(for: Array(input.utf8)))
    }

    @Test func `a client that asks for RS256 gets it by a key of its own, and others get what they got`() throws {
        let access = Secret("access")
        let asked = try fixture.issuer.sign(identity: Self.claims(), beside: access, by: .rs256).expose()
        let key = try #require(identityKeys().first)
        #expect(try header(asked) == ["alg": "RS256", "kid": key.id.text, "typ": "JWT"])
        #expect(key.algorithm == .rs256 && key.state == .active)
        for algorithm in [nil, .es256, .edDSA] as [SigningAlgorithm?] {
            let token = try fixture.issuer.sign(identity: Self.claims(), beside: access, by: algorithm).expose()
            #expect(try header(token)["alg"] == "ES256")
        }
        let claims = Self.claims()
        let hint = try fixture.issuer.sign(identity: claims, beside: access, by: .rs256).expose()
        #expect(try fixture.verifier.verifyIdentityHint(hint, now: TokenFixture.now) == claims)
    }

    @Test func `the keys are published with 2048 bits or more, and say what they are for`() throws {
        let keys = try published()
        let kids = try identityKeys().map(\.id.text)
        let own = keys.filter { kids.contains($0["kid"] ?? "") }
        #expect(own.count == 2 && own.allSatisfy { $0["kty"] == "RSA" && $0["alg"] == "RS256" && $0["use"] == "sig" })
        #expect(own.allSatisfy { $0["vestibule_purpose"] == "id_token" })
        for key in own { #expect(try #require(key["n"].flatMap { Base64URL.decode($0) }).count >= 256) }
        #expect(
            keys.filter { $0["vestibule_purpose"] == nil }.map { $0["kid"] }
                == fixture.ring.snapshot.keys.map(\.id.text)
        )
    }

    // RFC 8725 §3.11, §3.12: an attacker with the older algorithm's key must not open anything with it.
    // O-070
    @Test func `attack: tokens of other kinds signed with the id token key are refused`() throws {
        let access = try forged(TokenType.access, TokenFixture.accessClaims().json(issuer: TokenFixture.issuer))
        #expect(throws: TokenError.unknownKey) { try fixture.verify(access: access) }
        #expect(throws: TokenError.unknownKey) { try fixture.verifier.inspectAccess(access, now: TokenFixture.now) }
        let approval = try forged(TokenType.approval, TokenFixture.accessClaims().json(issuer: TokenFixture.issuer))
        #expect(throws: TokenError.unknownKey) {
            try fixture.verifier.verifyApproval(approval, audiences: [TokenFixture.audience], now: TokenFixture.now)
        }
        let receipt = try forged(TokenType.receipt, TokenFixture.accessClaims().json(issuer: TokenFixture.issuer))
        #expect(throws: TokenError.unknownKey) {
            try fixture.verifier.verifyReceipt(receipt, audiences: [TokenFixture.audience], now: TokenFixture.now)
        }
        // Nor do backends that verify by the published set.
        let set = try #require(PublishedKeys(fixture.ring.keySet))
        #expect(set.count == 2)
        for key in try identityKeys() { #expect(set[key.id.text] == nil) }
        for key in fixture.ring.snapshot.keys { #expect(set[key.id.text] != nil) }
    }

    @Test func `until the keys are made, a client that asks for RS256 gets nothing else in their place`() throws {
        let young = try TokenFixture()
        #expect(!young.issuer.signsIdentity(by: .rs256) && young.issuer.signsIdentity(by: nil))
        #expect(throws: SigningError.keyNotReady) {
            try young.issuer.sign(identity: Self.claims(), beside: Secret("access"), by: .rs256)
        }
        #expect(
            young.ring.identityAlgorithms == [.es256, .rs256],
            "they are there soon, and asked for from the beginning"
        )
        #expect(try young.ring.openIdentity(now: TokenFixture.now))
        #expect(young.issuer.signsIdentity(by: .rs256))
        #expect(try !young.ring.openIdentity(now: TokenFixture.now), "they are made once")
    }

    @Test func `the keys come back with the next start`() throws {
        let again = try TokenFixture(home: fixture.home)
        #expect(again.ring.keys == fixture.ring.keys && again.ring.keySet == fixture.ring.keySet)
        #expect(again.issuer.signsIdentity(by: .rs256))
    }

    @Test func `a rotation rotates both, and a token of the key before is a hint until that key is over`() throws {
        let token = try fixture.issuer.sign(identity: Self.claims(), beside: Secret("access"), by: .rs256).expose()
        let (old, next) = (try identityKeys()[0].id, try identityKeys()[1].id)
        let signing = try fixture.ring.rotate(now: TokenFixture.now, unannounced: true)
        #expect(signing == fixture.ring.snapshot.keys[0].id)
        #expect(try identityKeys().map(\.state) == [.active, .next, .retiring] && identityKeys()[0].id == next)
        #expect(try published().count == 6)
        _ = try fixture.verifier.verifyIdentityHint(token, now: TokenFixture.now)
        #expect(try fixture.ring.retire(old.text, now: TokenFixture.now) == old)
        #expect(throws: TokenError.retiredKey) { try fixture.verifier.verifyIdentityHint(token, now: TokenFixture.now) }
        #expect(throws: KeyError.self) { try fixture.ring.retire(next.text, now: TokenFixture.now) }
    }

    @Test func `the schedule rotates both, and hands over the changes`() async throws {
        let day = Duration.seconds(86_400)
        let ring = try TokenFixture.openRing(fixture.folder, announcement: day, rotation: day * 90)
        let due = TokenFixture.now + day * 90
        #expect(try ring.advance(now: due).count == 2)
        #expect(ring.keys.map(\.state) == [.active, .next, .retiring, .active, .next, .retiring])
        #expect(throws: KeyError.self) { try ring.rotate(now: due) }
        var recorded: [DatedKeyChange] = []
        await ring.handOver { changes in
            recorded += changes
            return true
        }
        #expect(Set(recorded.map(\.at)) == [due] && recorded.count == 2)
        #expect(try ring.advance(now: due + TokenFixture.retiredKeysVerifyFor).count == 2, "both retire")
    }

    @Test func `the person's claims have the names of OpenID Connect`() throws {
        let claims = IDTokenClaims(
            account: TokenFixture.environment.newID(),
            clientID: "web",
            session: TokenFixture.environment.newID(),
            issuedAt: TokenFixture.now,
            expiresAt: TokenFixture.now + .seconds(600),
            authenticatedAt: TokenFixture.now,
            methods: ["face"],
            contextClass: nil,
            nonce: nil,
            person: .init(name: "Ada \"B\" Å", preferredUsername: nil, email: "ada@example.com", isEmailVerified: false)
        )
        let token = try fixture.issuer.sign(identity: claims, beside: Secret("access"), by: .rs256).expose()
        let payload = try #require(Base64URL.decode(token.split(separator: ".")[1]))
        let members = try #require(JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
        #expect(members["name"] as? String == "Ada \"B\" Å" && members["email"] as? String == "ada@example.com")
        #expect(members["email_verified"] as? Bool == false)
    }
}
