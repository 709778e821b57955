import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import Testing
import TokenForgeries
import TokenReading
import Tokens

@testable import Assembly
@testable import HTTPAPI

/// What codes are redeemed for, and by whom.
struct CodeGrantTests {
    // O-035, O-074
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a code gets the tokens of RFC 6749, limited to what was granted`(_ storage: HarnessStorage) async throws {
        try await TokenFixture.run(storage: storage) { fixture in
            let answer = try await fixture.redeem(try await fixture.code())
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.named("Pragma")] == "no-cache")
            let tokens = try answer.decode(TokensOfTest.self)
            #expect(tokens.tokenType == "Bearer" && tokens.expiresIn == 3600)
            #expect(tokens.scope == "email offline_access openid orders profile")
            let claims = try TokenFixture.claims(tokens.accessToken)
            #expect(claims["aud"] as? String == "app" && claims["client_id"] as? String == "app")
            #expect(claims["scope"] as? String == tokens.scope)
            #expect(tokens.refreshToken != nil)
        }
    }

    // O-009, O-046
    @Test(.alsoSpread) func `the id token says who signed in, when, how, to whom, and which tokens it goes with`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            let claims = try TokenFixture.claims(tokens.idToken)
            let account = try await fixture.harness.composition.accounts.show("ada@example.com").account.id
            #expect(claims["iss"] as? String == fixture.harness.settings.issuer)
            #expect(claims["sub"] as? String == account.description)
            #expect(claims["aud"] as? String == "app" && claims["nonce"] as? String == "n-0S6_WzA2Mj")
            #expect(claims["amr"] as? [String] == ["face"] && claims["acr"] as? String == "face")
            #expect(claims["auth_time"] as? Int == Int(fixture.harness.composition.environment.now().seconds))
            let access = try TokenFixture.claims(tokens.accessToken)
            #expect(claims["sid"] as? String == access["sid"] as? String)
            let hash = Digest256(sha256: tokens.accessToken).bytes.prefix(16)
            #expect(claims["at_hash"] as? String == Base64URL.encode(hash))
        }
    }

    // O-058
    @Test func `without openid there is no id token, and without offline_access no refresh token`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(scopes: ["orders"])
            #expect(tokens.idToken == nil && tokens.refreshToken == nil && tokens.scope == "orders")
        }
    }

    // MARK: Attacks

    // T-166, O-045
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `attack: a code redeemed twice gets invalid_grant, and its tokens are revoked`(
        _ storage: HarnessStorage
    ) async throws {
        try await TokenFixture.run(storage: storage) { fixture in
            let code = try await fixture.code()
            let tokens = try await fixture.redeem(code).decode(TokensOfTest.self)
            try fixture.expect(try await fixture.redeem(code), is: .invalidGrant)
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .unauthorized)
            try fixture.expect(try await fixture.refresh(tokens.refreshToken), is: .invalidGrant)
        }
    }

    // T-166, O-044, O-045
    @Test(.timeLimit(.minutes(10)))
    func `attack: of eight concurrent redemptions of one code at most one gets tokens, and they are revoked`()
        async throws
    {
        try await TokenFixture.run { fixture in
            for _ in 0..<100 {
                let code = try await fixture.code()
                let granted = try await withThrowingTaskGroup(of: TokensOfTest?.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let answer = try await fixture.redeem(code)
                            return answer.status == .ok ? try answer.decode(TokensOfTest.self) : nil
                        }
                    }
                    return try await group.reduce(into: [TokensOfTest]()) { if let tokens = $1 { $0.append(tokens) } }
                }
                #expect(granted.count == 1)
                for tokens in granted {
                    #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .unauthorized)
                    try fixture.expect(try await fixture.refresh(tokens.refreshToken), is: .invalidGrant)
                }
            }
        }
    }

    // T-166, O-048, O-078
    @Test func `attack: a code redeemed by another client gets invalid_grant and stays good for its own`() async throws
    {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code()
            try fixture.expect(try await fixture.redeem(code, as: "stranger"), is: .invalidGrant)
            try fixture.expect(try await fixture.redeem(code, as: "web"), is: .invalidGrant)
            #expect(try await fixture.redeem(code).status == .ok)
        }
    }

    // T-166, O-042, O-046
    @Test(
        arguments: [
            ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXX"), ("code_verifier", nil),
            ("redirect_uri", "https://app.example.com/callback/"), ("redirect_uri", "https://APP.example.com/callback"),
            ("redirect_uri", "https://evil.example.com/callback"), ("code", "nobody-was-given-this-code"),
        ] as [(String, String?)]
    )
    func `attack: a code with a wrong or missing verifier or redirect URI gets invalid_grant and stays good`(
        _ field: String,
        _ value: String?
    ) async throws {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code()
            try fixture.expect(try await fixture.redeem(code, [field: value]), is: .invalidGrant)
            #expect(try await fixture.redeem(code).status == .ok, "and is as good as before")
        }
    }

    // O-043
    @Test func `attack: a verifier for a code without a challenge gets invalid_grant`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code(of: "web", isChallenged: false)
            try fixture.expect(try await fixture.redeem(code, as: "web"), is: .invalidGrant)
            #expect(try await fixture.redeem(code, as: "web", ["code_verifier": nil]).status == .ok)
        }
    }

    // O-075, O-078
    @Test func `attack: a confidential client without its secret gets invalid_client for a code`() async throws {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code(of: "web")
            for secret in [nil, "not-the-secret"] as [String?] {
                let refused = try await fixture.redeem(code, as: "web", ["client_secret": secret])
                try fixture.expect(refused, is: .invalidClient, 401)
            }
            #expect(try await fixture.redeem(code, as: "web").status == .ok)
        }
    }

    // T-166
    @Test func `a code is good for a minute, and for somebody who can still sign in`() async throws {
        try await TokenFixture.run { fixture in
            let late = try await fixture.code()
            fixture.harness.time.advance(by: .seconds(61))
            try fixture.expect(try await fixture.redeem(late), is: .invalidGrant)
            let code = try await fixture.code()
            _ = try await fixture.harness.composition.accounts.disable("ada@example.com")
            try fixture.expect(try await fixture.redeem(code), is: .invalidGrant)
        }
    }

    // T-173
    @Test func `a disabled client gets invalid_client for a code`() async throws {
        try await TokenFixture.run(disabled: ["app"]) { fixture in
            try fixture.expect(try await fixture.redeem(try await fixture.code()), is: .invalidClient, 401)
        }
    }

    // MARK: Resources

    // O-065
    @Test func `a token is for the resource that was granted and is asked for, and for no other`() async throws {
        try await TokenFixture.run { fixture in
            let resources = [TokenFixture.resource, "https://other.example.com"]
            let code = try await fixture.code(resources: resources)
            try fixture.expect(try await fixture.redeem(code), is: .invalidTarget)
            try fixture.expect(
                try await fixture.redeem(code, ["resource": "https://third.example.com"]),
                is: .invalidTarget
            )
            let answer = try await fixture.redeem(code, ["resource": TokenFixture.resource])
            let tokens = try answer.decode(TokensOfTest.self)
            #expect(try TokenFixture.claims(tokens.accessToken)["aud"] as? String == TokenFixture.resource)
            // It is for the resource server, and opens nothing here.
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .unauthorized)
        }
    }

    // MARK: DPoP

    // O-050
    @Test func `a proof binds the tokens, and a client that has to bring one gets nothing without`() async throws {
        let maker = DPoPMaker()
        try await TokenFixture.run { fixture in
            let code = try await fixture.code(of: "bound")
            try fixture.expect(try await fixture.redeem(code, as: "bound"), is: .invalidDPoPProof)
            let proof = fixture.harness.proving(.post, "/oauth/token", maker)
            let tokens = try await fixture.redeem(code, as: "bound", [:], proof).decode(TokensOfTest.self)
            #expect(tokens.tokenType == "DPoP")
            let bare = try await fixture.send(.get, "/oauth/userinfo", tokens.bearer)
            #expect(bare.status == .unauthorized)
            var headers = fixture.harness.proving(.get, "/oauth/userinfo", maker, token: tokens.accessToken)
            headers[.authorization] = "DPoP \(tokens.accessToken)"
            #expect(try await fixture.send(.get, "/oauth/userinfo", headers).status == .ok)
        }
    }

    // T-166, O-050
    @Test func `attack: a DPoP-bound code is redeemed only with a proof of its key`() async throws {
        let (maker, attacker) = (DPoPMaker(), DPoPMaker())
        try await TokenFixture.run { fixture in
            let proof = fixture.harness.proving(.post, "/oauth/token", maker)
            let key = try DPoPProof(parsing: try #require(proof[.dpopProof])).key.digest
            let code = try await fixture.code(proofKey: key)
            try fixture.expect(try await fixture.redeem(code), is: .invalidGrant)
            let stolen = fixture.harness.proving(.post, "/oauth/token", attacker)
            try fixture.expect(try await fixture.redeem(code, [:], stolen), is: .invalidGrant)
            #expect(try await fixture.redeem(code, [:], proof).status == .ok)
        }
    }

    // O-050, O-052
    @Test func `attack: a DPoP proof for another address, or a replayed one, is refused at the token endpoint`()
        async throws
    {
        let maker = DPoPMaker()
        try await TokenFixture.run { fixture in
            let elsewhere = fixture.harness.proving(.post, "/token", maker)
            let code = try await fixture.code()
            try fixture.expect(try await fixture.redeem(code, [:], elsewhere), is: .invalidDPoPProof)
            let proof = fixture.harness.proving(.post, "/oauth/token", maker)
            #expect(try await fixture.redeem(code, [:], proof).status == .ok)
            try fixture.expect(try await fixture.redeem(try await fixture.code(), [:], proof), is: .invalidDPoPProof)
        }
    }

    // O-052
    /// RFC 9449 §11.1: `jti` counts once for the address, whatever the grant.
    @Test(arguments: [false, true])
    func `attack: a DPoP proof used for a code is refused for a refresh, and the other way round`(
        isRefreshFirst: Bool
    ) async throws {
        let maker = DPoPMaker()
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(of: "web")
            let code = try await fixture.code(of: "web")
            let proof = fixture.harness.proving(.post, "/oauth/token", maker)
            let redeem = { try await fixture.redeem(code, as: "web", [:], proof) }
            let refresh = { try await fixture.refresh(tokens.refreshToken, as: "web", [:], proof) }
            let (first, second) = isRefreshFirst ? (refresh, redeem) : (redeem, refresh)
            #expect(try await first().status == .ok)
            try fixture.expect(try await second(), is: .invalidDPoPProof)
        }
    }

    // O-047
    /// Anybody can send texts that look like codes: they take no turn of the one writer.
    @Test func `attack: a text that is no code of the client is refused without a database write`() async throws {
        try await TokenFixture.run(storage: .sqlite) {
            $0.metrics.enabled = true
        } _: { fixture in
            let strange = try await fixture.code(of: "stranger")
            let ledger = StoreLedger()
            try ledger.open(fixture.harness)
            for code in ["", "x", String(repeating: "A", count: 43), strange] {
                #expect(try await fixture.redeem(code).status == .badRequest)
            }
            try ledger.book("no codes", fixture.harness)
            let work = try #require(ledger.works.first)
            #expect(work.units == 0 && work.rows == 0, "\(work)")
            #expect(work.reads >= 3)
            #expect(try await fixture.redeem(strange, as: "stranger").status == .ok)
        }
    }

    // MARK: Published apps

    @Test func `the published app sends the parameters in the address, and calls the verifier so`() async throws {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code()
            let query = TokenFixture.encoded([
                ("client_id", "app"), ("grant_type", "authorization_code"), ("code", code),
                ("verifier", Harness.verifier), ("redirect_uri", TokenFixture.callback),
            ])
            try fixture.expect(try await fixture.send(.post, "/oauth/token?" + query), is: .invalidRequest)
            let answer = try await fixture.send(.post, "/token?" + query)
            let tokens = try answer.decode(TokensOfTest.self)
            let refresh = TokenFixture.encoded([
                ("client_id", "app"), ("grant_type", "refresh_token"),
                ("refresh_token", try #require(tokens.refreshToken)),
            ])
            let fresh = try await fixture.send(.post, "/token/refresh?" + refresh).decode(TokensOfTest.self)
            #expect(fresh.refreshToken != tokens.refreshToken)
        }
    }

    // O-075, O-077
    @Test func `attack: parameters in query and body, repeated parameters and a secret in the query are refused`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code()
            let fields = [("client_id", "app"), ("grant_type", "authorization_code"), ("code", code)]
            let query = "/token?" + TokenFixture.encoded([("client_id", "app")])
            try fixture.expect(try await fixture.form(query, fields), is: .invalidRequest)
            try fixture.expect(try await fixture.form("/token", fields + [("code", "x")]), is: .invalidRequest)
            let secret = "/token?" + TokenFixture.encoded(fixture.shown("web") + fields.dropFirst())
            try fixture.expect(try await fixture.send(.post, secret), is: .invalidRequest)
            try fixture.expect(
                try await fixture.redeem(code, ["verifier": "another"], at: "/token"),
                is: .invalidRequest
            )
            let wrong = try await fixture.redeem(code, at: "/token/refresh")
            try fixture.expect(wrong, is: .unsupportedGrantType)
            #expect(try await fixture.redeem(code).status == .ok)
        }
    }

    // O-081
    @Test func `a grant that is unknown, switched off, or not the client's is refused`() async throws {
        try await TokenFixture.run { fixture in
            for type in ["password", "client_credentials", "urn:openid:params:grant-type:ciba"] {
                let answer = try await fixture.form("/oauth/token", fixture.shown("app") + [("grant_type", type)])
                try fixture.expect(answer, is: .unsupportedGrantType)
            }
            let none = try await fixture.form("/oauth/token", fixture.shown("app"))
            try fixture.expect(none, is: .invalidRequest)
        }
    }

    // T-196
    @Test func `attack: a brokered client gets unauthorized_client for a local code, and no upstream sees that code`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let code = try await fixture.code(of: "brokered")
            try fixture.expect(try await fixture.redeem(code, as: "brokered"), is: .unauthorizedClient)
            for path in ["/oauth/introspect", "/oauth/revoke"] {
                let answer = try await fixture.form(path, fixture.shown("brokered") + [("token", code)])
                try fixture.expect(answer, is: .unauthorizedClient)
            }
            // There is no broker on this stage, and the published addresses ask for it.
            let published = try await fixture.redeem(code, as: "brokered", at: "/token")
            #expect(try published.json()["error"] as? String == OAuthErrorCode.temporarilyUnavailable.rawValue)
        }
    }
}
