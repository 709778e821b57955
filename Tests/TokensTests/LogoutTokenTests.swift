import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

/// Logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.4), and what they must not be taken for.
struct LogoutTokenTests {
    private static let claims = LogoutClaims(
        account: TokenFixture.environment.newID(),
        clientID: "web",
        session: TokenFixture.environment.newID(),
        issuedAt: TokenFixture.now,
        expiresAt: TokenFixture.now + .seconds(120)
    )

    private static func part(_ token: Secret, _ index: Int) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(token.expose().split(separator: ".")[index]))
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a logout token says which session of whom has ended, and has no nonce`(
        _ algorithm: SigningAlgorithm
    ) throws {
        let (fixture, claims) = (try TokenFixture(algorithm), Self.claims)
        let token = try fixture.issuer.sign(logout: claims)
        let header = try Self.part(token, 0)
        #expect(header["typ"] as? String == "logout+jwt" && header["alg"] as? String == algorithm.rawValue)
        let members = try Self.part(token, 1)
        #expect(Set(members.keys) == ["iss", "sub", "aud", "iat", "exp", "jti", "sid", "events"])
        #expect(members["iss"] as? String == TokenFixture.issuer && members["aud"] as? String == "web")
        #expect(members["sub"] as? String == claims.account.description)
        #expect(members["sid"] as? String == claims.session.description)
        let (issued, now) = (members["iat"] as? Int, Int(TokenFixture.now.seconds))
        #expect(issued == now && members["exp"] as? Int == now + 120)
        let events = try #require(members["events"] as? [String: [String: String]])
        #expect(events == ["http://schemas.openid.net/event/backchannel-logout": [:]])
    }

    // O-125
    @Test func `a token that is sent again has the same id, and that of another session has another`() throws {
        let fixture = try TokenFixture()
        let first = try Self.part(fixture.issuer.sign(logout: Self.claims), 1)["jti"] as? String
        let later = LogoutClaims(
            account: Self.claims.account,
            clientID: "web",
            session: Self.claims.session,
            issuedAt: TokenFixture.now + .seconds(600),
            expiresAt: TokenFixture.now + .seconds(720)
        )
        #expect(try Self.part(fixture.issuer.sign(logout: later), 1)["jti"] as? String == first)
        #expect(first?.contains(Self.claims.session.description) == true)
    }

    // O-123
    @Test func `attack: a logout token passes neither as an id token nor as an access token`() throws {
        let fixture = try TokenFixture()
        let token = try fixture.issuer.sign(logout: Self.claims).expose()
        #expect(throws: TokenError.wrongType) {
            try fixture.verifier.verifyIdentityHint(token, now: TokenFixture.now)
        }
        #expect(throws: TokenError.wrongType) {
            try fixture.verifier.verifyAccess(token, audiences: ["web"], now: TokenFixture.now)
        }
    }

    @Test func `without keys for RS256 a logout token has to wait`() throws {
        let fixture = try TokenFixture()
        #expect(throws: SigningError.keyNotReady) { try fixture.issuer.sign(logout: Self.claims, by: .rs256) }
    }
}
