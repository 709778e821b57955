import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Testing
import TokenReading

@testable import Assembly
@testable import HTTPAPI
@testable import Tokens

/// What id tokens are signed with and say, as each client is set (OpenID Connect Registration §2, Core §5.4).
struct IdentityTokenTests {
    private static func header(_ token: String?) throws -> [String: String] {
        let text = try #require(token)
        let bytes = try #require(Base64URL.decode(text.split(separator: ".")[0]))
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String])
    }

    @Test(.ofOneDaemon("Here only one daemon has keys for RS256."))
    func `a client that asks for RS256 gets it, and its access tokens stay as they were`() async throws {
        try await TokenFixture.run { fixture in
            let ring = fixture.harness.composition.keys
            try ring.openIdentity(now: fixture.harness.composition.environment.now())
            let tokens = try await fixture.tokens(of: "rs256")
            let key = try #require(ring.keys.first { $0.use == .identity })
            #expect(try Self.header(tokens.idToken) == ["alg": "RS256", "kid": key.id.text, "typ": "JWT"])
            #expect(try Self.header(tokens.accessToken)["alg"] == "ES256")
            let fresh = try await fixture.refresh(tokens.refreshToken, as: "rs256").decode(TokensOfTest.self)
            #expect(try Self.header(fresh.idToken)["alg"] == "RS256")
            let usual = try await fixture.tokens().idToken
            #expect(try Self.header(usual)["alg"] == "ES256")
            let keySet = try await fixture.harness.send(.get, "/.well-known/jwks.json").text
            #expect(keySet.contains(key.id.text))
            let out = try await fixture.send(
                .get,
                "/oauth/logout?" + TokenFixture.encoded([("id_token_hint", try #require(fresh.idToken))])
            )
            #expect(out.status == .ok && out.text.contains("signed out"), "it is a hint like the others")
            try fixture.expect(try await fixture.refresh(fresh.refreshToken, as: "rs256"), is: .invalidGrant)
        }
    }

    @Test(.ofOneDaemon("Here only one daemon has keys for RS256."))
    func `without RS256 keys the token endpoint answers 503 with Retry-After, and the code stays good`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code(of: "rs256")
            let early = try await fixture.redeem(code, as: "rs256")
            try fixture.expect(early, is: .temporarilyUnavailable, 503)
            #expect(early.headers[.retryAfter] == "5")
            #expect(try await fixture.redeem(fixture.code(of: "rs256", scopes: ["email"]), as: "rs256").status == .ok)
            try fixture.harness.composition.keys.openIdentity(now: fixture.harness.composition.environment.now())
            let tokens = try await fixture.redeem(code, as: "rs256").decode(TokensOfTest.self)
            #expect(try Self.header(tokens.idToken)["alg"] == "RS256")
        }
    }

    // O-070
    @Test(.ofOneDaemon("Here only one daemon has keys for RS256."))
    func `attack: an access token signed by the id token key is refused at every route`() async throws {
        try await TokenFixture.run { fixture in
            let ring = fixture.harness.composition.keys
            try ring.openIdentity(now: fixture.harness.composition.environment.now())
            let tokens = try await fixture.tokens(of: "rs256")
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .ok)
            let key = try #require(ring.identity).snapshot.current
            let header = #"{"alg":"RS256","kid":"\#(key.verificationKey.thumbprint.text)","typ":"at+jwt"}"#
            let payload = tokens.accessToken.split(separator: ".")[1]
            let input = Base64URL.encode(Array(header.utf8)) + "." + payload
            let forged = input + "." + Base64URL.encode(try key.signature(for: Array(input.utf8)))
            let bearer: HTTPFields = [.authorization: "Bearer \(forged)"]
            #expect(try await fixture.send(.get, "/oauth/userinfo", bearer).status == .unauthorized)
            #expect(try await fixture.harness.send(.get, "/auth/me", bearer).status == .unauthorized)
            #expect(try await fixture.isActive(forged, as: "web") == false)
        }
    }

    @Test func `discovery names RS256 from the first second, beside what access tokens are signed with`() async throws {
        try await TokenFixture.run { fixture in
            let answer = try await fixture.send(.get, "/.well-known/openid-configuration")
            let algorithms = try answer.json()["id_token_signing_alg_values_supported"] as? [String]
            #expect(algorithms == ["ES256", "RS256"])
        }
    }

    // O-024
    @Test func `what a request asks the id token to say is in it, at each refresh too`() async throws {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code(claims: [.email, .preferredUsername])
            let tokens = try await fixture.redeem(code).decode(TokensOfTest.self)
            let told = try TokenFixture.claims(tokens.idToken)
            #expect(told["email"] as? String == "ada@example.com" && told["email_verified"] as? Bool == true)
            #expect(told["name"] == nil, "that was not asked for")
            let fresh = try await fixture.refresh(tokens.refreshToken).decode(TokensOfTest.self)
            #expect(try TokenFixture.claims(fresh.idToken)["email"] as? String == "ada@example.com")
            let narrow = try await fixture.refresh(fresh.refreshToken, ["scope": "openid"]).decode(TokensOfTest.self)
            #expect(try TokenFixture.claims(narrow.idToken)["email"] == nil, "nor what the scope leaves out")
        }
    }

    @Test func `name and address are in the id token of a client that is set so, as far as the scopes go`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let all = try await fixture.tokens(of: "telling")
            let told = try TokenFixture.claims(all.idToken)
            let info = try await fixture.send(.get, "/oauth/userinfo", all.bearer).json()
            #expect(told["email"] as? String == "ada@example.com" && told["email_verified"] as? Bool == true)
            #expect((told["name"] as? String)?.isEmpty == false && told["name"] as? String == info["name"] as? String)
            let fresh = try await fixture.refresh(all.refreshToken, as: "telling").decode(TokensOfTest.self)
            #expect(try TokenFixture.claims(fresh.idToken)["email"] as? String == "ada@example.com")
            let cut = try await fixture.tokens(of: "telling", scopes: ["openid", "profile"]).idToken
            let narrow = try TokenFixture.claims(cut)
            #expect(narrow["email"] == nil && narrow["email_verified"] == nil && narrow["name"] != nil)
            let other = try await fixture.tokens().idToken
            let usual = try TokenFixture.claims(other)
            #expect(usual["email"] == nil && usual["name"] == nil, "others ask for it")
        }
    }
}
