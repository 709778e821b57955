import Crypto
import Foundation
import Kernel
import Testing
import TokenForgeries
import TokenReading

@testable import Tokens

/// Id tokens (OpenID Connect Core §2), and what must not be taken for one.
struct IDTokenTests {
    private static func claims(nonce: String? = "n-0S6_WzA2Mj", request: String? = nil) -> IDTokenClaims {
        IDTokenClaims(
            account: TokenFixture.environment.newID(),
            clientID: "web",
            session: TokenFixture.environment.newID(),
            issuedAt: TokenFixture.now,
            expiresAt: TokenFixture.now + .seconds(600),
            authenticatedAt: TokenFixture.now - .seconds(30),
            methods: ["face"],
            contextClass: "face",
            nonce: nonce,
            backchannelRequest: request
        )
    }

    private static func members(_ token: Secret) throws -> [String: Any] {
        let payload = try #require(Base64URL.decode(token.expose().split(separator: ".")[1]))
        return try #require(JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
    }

    // O-066
    @Test(arguments: SigningAlgorithm.allCases)
    func `an id token says its claims, and names the access token by its hash`(_ algorithm: SigningAlgorithm) throws {
        let (fixture, claims) = (try TokenFixture(algorithm), Self.claims())
        let access = Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
        let token = try fixture.issuer.sign(identity: claims, beside: access)
        #expect(try fixture.verifier.verifyIdentityHint(token.expose(), now: TokenFixture.now) == claims)
        let members = try Self.members(token)
        #expect(members["iss"] as? String == TokenFixture.issuer && members["aud"] as? String == "web")
        #expect(members["sub"] as? String == claims.account.description && members["nonce"] as? String == claims.nonce)
        #expect(members["acr"] as? String == "face" && members["amr"] as? [String] == ["face"])
        // Core §3.1.3.6: for the algorithms with SHA-256 it is the one that the specification's example has.
        let text = Array(access.expose().utf8)
        let expected =
            algorithm == .edDSA
            ? Base64URL.encode(Array(SHA512.hash(data: text).prefix(32))) : "77QmUPtjPfzWtF2AnpK9RQ"
        #expect(members["at_hash"] as? String == expected)
        #expect(members["urn:openid:params:jwt:claim:rt_hash"] == nil && members["azp"] == nil)
    }

    @Test func `a pushed id token vouches for the refresh token and the request as well`() throws {
        let fixture = try TokenFixture()
        let claims = Self.claims(nonce: nil, request: "1c266114-a1be-4252-8ad1-04986c5b9ac1")
        let refresh = Secret("refresh")
        let token = try fixture.issuer.sign(identity: claims, beside: Secret("access"), pushed: refresh)
        let members = try Self.members(token)
        #expect(members["nonce"] == nil)
        #expect(members["urn:openid:params:jwt:claim:auth_req_id"] as? String == claims.backchannelRequest)
        let half = Base64URL.encode(Array(SHA256.hash(data: Array("refresh".utf8)).prefix(16)))
        #expect(members["urn:openid:params:jwt:claim:rt_hash"] as? String == half)
    }

    @Test func `an expired id token is a hint still, and one whose key is retired is none`() throws {
        let fixture = try TokenFixture()
        let token = try fixture.issuer.sign(identity: Self.claims(), beside: Secret("access")).expose()
        let later = TokenFixture.now + .seconds(86_400)
        _ = try fixture.verifier.verifyIdentityHint(token, now: later)
        try fixture.ring.rotate(now: TokenFixture.now, unannounced: true)
        #expect(throws: TokenError.retiredKey) { try fixture.verifier.verifyIdentityHint(token, now: later) }
    }

    // T-088, O-069
    @Test func `attack: an id token is not accepted as an access token, nor any other token as an id token`() throws {
        let fixture = try TokenFixture()
        let identity = try fixture.issuer.sign(identity: Self.claims(), beside: Secret("access")).expose()
        #expect(throws: TokenError.wrongType) { try fixture.verify(access: identity) }
        #expect(throws: TokenError.wrongType) { try fixture.verifier.inspectAccess(identity, now: TokenFixture.now) }
        #expect(throws: TokenError.wrongType) { try fixture.verify(refresh: identity) }
        let access = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        let refresh = fixture.issuer.sign(refresh: TokenFixture.refreshClaims()).expose()
        for token in [access, refresh] {
            #expect(throws: TokenError.wrongType) {
                try fixture.verifier.verifyIdentityHint(token, now: TokenFixture.now)
            }
        }
    }

    @Test func `attack: an id token of another issuer, or with another signature, is not accepted as a hint`() throws {
        let fixture = try TokenFixture()
        let other = TokenIssuer(issuer: "https://evil.example.com", ring: fixture.ring, folder: fixture.folder)
        let foreign = try other.sign(identity: Self.claims(), beside: Secret("access")).expose()
        #expect(throws: TokenError.wrongIssuer) {
            try fixture.verifier.verifyIdentityHint(foreign, now: TokenFixture.now)
        }
        let strange = try TokenFixture().issuer.sign(identity: Self.claims(), beside: Secret("access")).expose()
        #expect(throws: TokenError.unknownKey) {
            try fixture.verifier.verifyIdentityHint(strange, now: TokenFixture.now)
        }
    }

    // MARK: What the authorization server's other tokens have

    @Test func `a token that is inspected is good for anybody, and bound or not, until it expires`() throws {
        let fixture = try TokenFixture()
        let claims = TokenFixture.accessClaims(audience: "https://api.example.com", scopes: ["orders"])
        let token = try fixture.issuer.sign(access: claims).expose()
        #expect(try fixture.verifier.inspectAccess(token, now: TokenFixture.now) == claims)
        let late = TokenFixture.now + TokenFixture.accessLifetime
        #expect(throws: TokenError.expired) { try fixture.verifier.inspectAccess(token, now: late) }
    }

    @Test func `a token that is limited to no scope at all is limited still`() throws {
        let fixture = try TokenFixture()
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims(scopes: [])).expose()
        #expect(try fixture.verify(access: token).scopes == [])
    }

    @Test func `a refresh token says where it may be presented`() throws {
        let fixture = try TokenFixture()
        let app = TokenFixture.refreshClaims()
        #expect(try fixture.verify(refresh: fixture.issuer.sign(refresh: app).expose()).use == .app)
        let oauth = RefreshClaims(
            account: app.account,
            session: app.session,
            deviceID: nil,
            tokenID: app.tokenID,
            issuedAt: app.issuedAt,
            expiresAt: app.expiresAt,
            use: .oauth
        )
        #expect(try fixture.verify(refresh: fixture.issuer.sign(refresh: oauth).expose()) == oauth)
    }

    @Test func `limited tokens of one refresh token differ by what they are limited to, and are the same again`() throws
    {
        let succession = RefreshSuccession(try TokenFixture().folder)
        let names = [["web", "orders"], ["web", "openid"], ["api", "orders"], ["web", "orders"]].map {
            succession.accessTokenID(for: "parent", issuedAt: TokenFixture.now, limitedTo: $0)
        }
        #expect(names[0] == names[3] && Set(names).count == 3)
        #expect(!names.contains(succession.accessTokenID(for: "parent", issuedAt: TokenFixture.now)))
        let session: SessionID = TokenFixture.environment.newID()
        #expect(succession.first(of: session) == succession.first(of: session))
        #expect(succession.first(of: session) != succession.first(of: TokenFixture.environment.newID()))
    }

    @Test func `the ring says what it signs with, and will sign with`() throws {
        #expect(try TokenFixture(.edDSA).ring.snapshot.algorithms == [.edDSA])
        let home = try TemporaryFolder()
        _ = try TokenFixture(.es256, home: home)
        #expect(try TokenFixture(.edDSA, home: home).ring.snapshot.algorithms == [.es256, .edDSA])
    }
}
