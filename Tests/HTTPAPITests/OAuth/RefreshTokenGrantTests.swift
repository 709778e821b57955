import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Sessions
import Settings
import Testing
import TokenForgeries
import Tokens
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What refresh tokens of the authorization server's clients are worth.
struct RefreshTokenGrantTests {
    // O-039
    @Test(.alsoSpread) func `a refresh replaces the token, keeps the scope, and says who signed in without the nonce`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            fixture.harness.time.advance(by: .seconds(1000))
            let answer = try await fixture.refresh(tokens.refreshToken)
            #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store", "\(answer.text)")
            let fresh = try answer.decode(TokensOfTest.self)
            #expect(fresh.refreshToken != tokens.refreshToken && fresh.scope == tokens.scope)
            #expect(fresh.accessToken != tokens.accessToken)
            let (old, new) = (try TokenFixture.claims(tokens.idToken), try TokenFixture.claims(fresh.idToken))
            #expect(new["nonce"] == nil)
            for name in ["sub", "aud", "sid"] { #expect(new[name] as? String == old[name] as? String, "\(name)") }
            #expect(new["auth_time"] as? Int == old["auth_time"] as? Int)
        }
    }

    // O-054, O-055
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `an answer that was lost is given again, and a token that was replaced long ago ends the session`(
        _ storage: HarnessStorage
    )
        async throws
    {
        try await TokenFixture.run(storage: storage) { fixture in
            let tokens = try await fixture.tokens()
            let first = try await fixture.refresh(tokens.refreshToken).decode(TokensOfTest.self)
            let again = try await fixture.refresh(tokens.refreshToken).decode(TokensOfTest.self)
            #expect(first.refreshToken == again.refreshToken)
            let claims = try [first, again].map { try TokenFixture.claims($0.accessToken)["jti"] as? String }
            #expect(claims[0] == claims[1])
            fixture.harness.time.advance(by: .seconds(60))
            try fixture.expect(try await fixture.refresh(tokens.refreshToken), is: .invalidGrant)
            try fixture.expect(try await fixture.refresh(first.refreshToken), is: .invalidGrant)
            #expect(try await fixture.send(.get, "/oauth/userinfo", first.bearer).status == .unauthorized)
        }
    }

    @Test func `a scope may be narrowed for one access token, and the grant stays as it was`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            let narrow = try await fixture.refresh(tokens.refreshToken, ["scope": "orders"])
                .decode(TokensOfTest.self)
            #expect(narrow.scope == "orders" && narrow.idToken == nil)
            #expect(try TokenFixture.claims(narrow.accessToken)["scope"] as? String == "orders")
            let full = try await fixture.refresh(narrow.refreshToken).decode(TokensOfTest.self)
            #expect(full.scope == tokens.scope)
        }
    }

    // O-056, O-057
    @Test func `attack: a refresh with a wider scope or resource is refused, and the token stays good`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(scopes: ["openid", "offline_access"])
            for scope in ["openid orders", "admin", "openid \"", " "] {
                try fixture.expect(try await fixture.refresh(tokens.refreshToken, ["scope": scope]), is: .invalidScope)
            }
            try fixture.expect(
                try await fixture.refresh(tokens.refreshToken, ["resource": TokenFixture.resource]),
                is: .invalidTarget
            )
            fixture.harness.time.advance(by: .seconds(60))
            #expect(try await fixture.refresh(tokens.refreshToken).status == .ok)
        }
    }

    // O-056, O-078
    @Test func `attack: a refresh token sent by another client gets invalid_grant, and stays good for its own`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            for attacker in ["stranger", "web", "other"] {
                try fixture.expect(try await fixture.refresh(tokens.refreshToken, as: attacker), is: .invalidGrant)
            }
            fixture.harness.time.advance(by: .seconds(60))
            #expect(try await fixture.refresh(tokens.refreshToken).status == .ok)
        }
    }

    // T-168, O-063
    @Test func `attack: an OAuth refresh token gets 401 at the apps' refresh route, and stays good`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(of: "bbms", scopes: ["openid", "offline_access"])
            let token = try #require(tokens.refreshToken)
            let refused = try await fixture.harness.send(.post, "/auth/refresh", [.authorization: "Bearer \(token)"])
            try fixture.harness.expect(refused, is: "unauthorized", 401)
            #expect(try await fixture.refresh(token, as: "bbms").status == .ok)
        }
    }

    // T-168
    @Test func `attack: an app's refresh token gets invalid_grant at the token endpoint, and stays good`() async throws
    {
        try await TokenFixture.run { fixture in
            let app = try await fixture.harness.signIn()
            try fixture.expect(try await fixture.refresh(app.tokens.refreshToken, as: "bbms"), is: .invalidGrant)
            let headers: HTTPFields = [.authorization: "Bearer \(app.tokens.refreshToken)"]
            #expect(try await fixture.harness.send(.post, "/auth/refresh", headers).status == .ok)
        }
    }

    // O-059
    @Test func `attack: an access token, an id token and a changed refresh token get invalid_grant as refresh tokens`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            let forged = try #require(tokens.refreshToken).dropLast(4) + "AAAA"
            for text in [tokens.accessToken, try #require(tokens.idToken), String(forged), "x"] {
                try fixture.expect(try await fixture.refresh(text), is: .invalidGrant)
            }
        }
    }

    // O-062
    /// RFC 6749 §5.2: a library that is told anything else keeps the token, and asks again for ever.
    @Test(.alsoSpread) func `a dead refresh token is invalid_grant however often it comes`() async throws {
        try await TokenFixture.run(isLimited: true) {
            $0.limits.off = false
        } _: { fixture in
            let (dead, live) = (try await fixture.tokens(), try await fixture.tokens(by: "bob@example.com"))
            let revoked = try await fixture.form(
                "/oauth/revoke",
                fixture.shown("app") + [("token", try #require(dead.refreshToken))]
            )
            #expect(revoked.status == .ok)
            let forged = String(try #require(dead.refreshToken).dropLast(4) + "AAAA")
            for text in [try #require(dead.refreshToken), forged, "x"] {
                for _ in 0..<50 { try fixture.expect(try await fixture.refresh(text), is: .invalidGrant) }
            }
            #expect(fixture.harness.composition.service.limiterRefusals["dead_refresh_tokens"] ?? 0 == 0)
            #expect(try await fixture.refresh(live.refreshToken).status == .ok, "and costs nobody else anything")
        }
    }

    // O-062
    @Test(.ofOneDaemon(.countedByEach))
    func `attack: after five refusals a revoked refresh token is refused from memory for a minute`() async throws {
        try await TokenFixture.run(isLimited: true) {
            $0.limits.off = false
        } _: { fixture in
            let dead = try await fixture.tokens()
            let text = try #require(dead.refreshToken)
            let limits = try #require(fixture.harness.api.limits.refreshes)
            let reader = RefreshTokenReader(
                verifier: fixture.harness.api.verifier,
                limits: nil,
                use: .oauth,
                environment: fixture.harness.composition.environment
            )
            let held = try await reader.read(text, carrier: .bearer)
            _ = try await fixture.form("/oauth/revoke", fixture.shown("app") + [("token", text)])
            for _ in 0..<6 {
                #expect(!limits.isKnownDead(held))
                try fixture.expect(try await fixture.refresh(text), is: .invalidGrant)
            }
            #expect(limits.isKnownDead(held))
            fixture.harness.time.advance(by: .seconds(61))
            #expect(!limits.isKnownDead(held), "no mark is for ever")
        }
    }

    @Test func `a refresh of a disabled account or a revoked session gets invalid_grant`() async throws {
        try await TokenFixture.run { fixture in
            let (ada, bob) = (try await fixture.tokens(), try await fixture.tokens(by: "bob@example.com"))
            _ = try await fixture.harness.composition.accounts.disable("ada@example.com")
            try fixture.expect(try await fixture.refresh(ada.refreshToken), is: .invalidGrant)
            let revoked = try await fixture.form(
                "/oauth/revoke",
                fixture.shown("app") + [("token", try #require(bob.refreshToken))]
            )
            #expect(revoked.status == .ok)
            try fixture.expect(try await fixture.refresh(bob.refreshToken), is: .invalidGrant)
        }
    }

    // O-054
    @Test func `attack: a public client's DPoP-bound refresh token refreshes only with a proof of its key`()
        async throws
    {
        let (maker, attacker) = (DPoPMaker(), DPoPMaker())
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(fixture.harness.proving(.post, "/oauth/token", maker))
            try fixture.expect(try await fixture.refresh(tokens.refreshToken), is: .invalidGrant)
            let stolen = fixture.harness.proving(.post, "/oauth/token", attacker)
            try fixture.expect(try await fixture.refresh(tokens.refreshToken, [:], stolen), is: .invalidGrant)
            let proof = fixture.harness.proving(.post, "/oauth/token", maker)
            let fresh = try await fixture.refresh(tokens.refreshToken, [:], proof).decode(TokensOfTest.self)
            #expect(fresh.tokenType == "DPoP")
        }
    }

    @Test func `a confidential client may change its key: it is bound by its own proof of who it is`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(
                of: "web",
                fixture.harness.proving(.post, "/oauth/token", DPoPMaker())
            )
            #expect(tokens.tokenType == "DPoP")
            let proof = fixture.harness.proving(.post, "/oauth/token", DPoPMaker())
            let fresh = try await fixture.refresh(tokens.refreshToken, as: "web", [:], proof)
            #expect(try fresh.decode(TokensOfTest.self).tokenType == "DPoP")
            let keys = try [tokens.accessToken, fresh.decode(TokensOfTest.self).accessToken].map {
                try TokenFixture.claims($0)["cnf"] as? [String: String]
            }
            #expect(keys[0] != nil && keys[1] != nil && keys[0] != keys[1])
        }
    }
}
