import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Testing
import TokenReading

@testable import HTTPAPI
@testable import Tokens
@testable import Vestibule

/// What id tokens are signed with and say, as each client is set (OpenID Connect Registration §2, Core §5.4).
struct IdentityTokenTests {
    private static func header(_ token: String?) throws -> [String: String] {
        let text = try #require(token)
        let bytes = try #require(Base64URL.decode(text.split(separator: ".")[0]))
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String])
    }

    @Test func `a client that asks for RS256 gets it, and its access tokens stay as they were`() async throws {
        try await TokenStage.run { stage in
            let ring = stage.bench.composition.keys
            try ring.openIdentity(now: stage.bench.composition.environment.now())
            let tokens = try await stage.tokens(of: "rs256")
            let key = try #require(ring.keys.first { $0.use == .identity })
            #expect(try Self.header(tokens.idToken) == ["alg": "RS256", "kid": key.id.text, "typ": "JWT"])
            #expect(try Self.header(tokens.accessToken)["alg"] == "ES256")
            let fresh = try await stage.refresh(tokens.refreshToken, as: "rs256").decode(TokensOfTest.self)
            #expect(try Self.header(fresh.idToken)["alg"] == "RS256")
            let usual = try await stage.tokens().idToken
            #expect(try Self.header(usual)["alg"] == "ES256")
            let keySet = try await stage.bench.send(.get, "/.well-known/jwks.json").text
            #expect(keySet.contains(key.id.text))
            let out = try await stage.send(
                .get,
                "/oauth/logout?" + TokenStage.encoded([("id_token_hint", try #require(fresh.idToken))])
            )
            #expect(out.status == .ok && out.text.contains("signed out"), "it is a hint like the others")
            try stage.expect(try await stage.refresh(fresh.refreshToken, as: "rs256"), is: .invalidGrant)
        }
    }

    @Test func `until the keys are made the client is told to come again, and its code is as good as before`()
        async throws
    {
        try await TokenStage.run { stage in
            let code = try await stage.code(of: "rs256")
            let early = try await stage.redeem(code, as: "rs256")
            try stage.expect(early, is: .temporarilyUnavailable, 503)
            #expect(early.headers[.retryAfter] == "5")
            #expect(try await stage.redeem(stage.code(of: "rs256", scopes: ["email"]), as: "rs256").status == .ok)
            try stage.bench.composition.keys.openIdentity(now: stage.bench.composition.environment.now())
            let tokens = try await stage.redeem(code, as: "rs256").decode(TokensOfTest.self)
            #expect(try Self.header(tokens.idToken)["alg"] == "RS256")
        }
    }

    @Test func `attack: what the key of id tokens signs opens nothing`() async throws {
        try await TokenStage.run { stage in
            let ring = stage.bench.composition.keys
            try ring.openIdentity(now: stage.bench.composition.environment.now())
            let tokens = try await stage.tokens(of: "rs256")
            #expect(try await stage.send(.get, "/oauth/userinfo", tokens.bearer).status == .ok)
            let key = try #require(ring.identity).snapshot.current
            let header = #"{"alg":"RS256","kid":"\#(key.verificationKey.thumbprint.text)","typ":"at+jwt"}"#
            let payload = tokens.accessToken.split(separator: ".")[1]
            let input = Base64URL.encode(Array(header.utf8)) + "." + payload
            let forged = input + "." + Base64URL.encode(try key.signature(for: Array(input.utf8)))
            let bearer: HTTPFields = [.authorization: "Bearer \(forged)"]
            #expect(try await stage.send(.get, "/oauth/userinfo", bearer).status == .unauthorized)
            #expect(try await stage.bench.send(.get, "/auth/me", bearer).status == .unauthorized)
            #expect(try await stage.isActive(forged, as: "web") == false)
        }
    }

    @Test func `discovery names RS256 from the first second, beside what access tokens are signed with`() async throws {
        try await TokenStage.run { stage in
            let answer = try await stage.send(.get, "/.well-known/openid-configuration")
            let algorithms = try answer.json()["id_token_signing_alg_values_supported"] as? [String]
            #expect(algorithms == ["ES256", "RS256"])
        }
    }

    @Test func `what a request asks the id token to say is in it, at each refresh too`() async throws {
        try await TokenStage.run { stage in
            let code = try await stage.code(claims: [.email, .preferredUsername])
            let tokens = try await stage.redeem(code).decode(TokensOfTest.self)
            let told = try TokenStage.claims(tokens.idToken)
            #expect(told["email"] as? String == "ada@example.com" && told["email_verified"] as? Bool == true)
            #expect(told["name"] == nil, "that was not asked for")
            let fresh = try await stage.refresh(tokens.refreshToken).decode(TokensOfTest.self)
            #expect(try TokenStage.claims(fresh.idToken)["email"] as? String == "ada@example.com")
            let narrow = try await stage.refresh(fresh.refreshToken, ["scope": "openid"]).decode(TokensOfTest.self)
            #expect(try TokenStage.claims(narrow.idToken)["email"] == nil, "nor what the scope leaves out")
        }
    }

    @Test func `name and address are in the id token of a client that is set so, as far as the scopes go`()
        async throws
    {
        try await TokenStage.run { stage in
            let all = try await stage.tokens(of: "telling")
            let told = try TokenStage.claims(all.idToken)
            let info = try await stage.send(.get, "/oauth/userinfo", all.bearer).json()
            #expect(told["email"] as? String == "ada@example.com" && told["email_verified"] as? Bool == true)
            #expect((told["name"] as? String)?.isEmpty == false && told["name"] as? String == info["name"] as? String)
            let fresh = try await stage.refresh(all.refreshToken, as: "telling").decode(TokensOfTest.self)
            #expect(try TokenStage.claims(fresh.idToken)["email"] as? String == "ada@example.com")
            let cut = try await stage.tokens(of: "telling", scopes: ["openid", "profile"]).idToken
            let narrow = try TokenStage.claims(cut)
            #expect(narrow["email"] == nil && narrow["email_verified"] == nil && narrow["name"] != nil)
            let other = try await stage.tokens().idToken
            let usual = try TokenStage.claims(other)
            #expect(usual["email"] == nil && usual["name"] == nil, "others ask for it")
        }
    }
}
