import Accounts
import Devices
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import SignIn
import Testing
import TokenForgeries

@testable import Assembly
@testable import HTTPAPI

/// What tokens are worth where they are shown, and who is told what they are worth.
struct TokenUseTests {
    // MARK: Userinfo

    // T-168, O-064
    @Test(
        arguments: [
            (["openid"], []), (["openid", "profile"], ["name"]), (["openid", "email"], ["email", "email_verified"]),
            (["openid", "profile", "email"], ["name", "email", "email_verified"]),
        ] as [(Set<String>, Set<String>)]
    )
    func `userinfo says what the scopes let it say, and no more`(
        _ scopes: Set<String>,
        _ named: Set<String>
    ) async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(scopes: scopes)
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await fixture.send(method, "/oauth/userinfo", tokens.bearer)
                #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store", "\(answer.text)")
                let claims = try answer.json()
                #expect(Set(claims.keys) == named.union(["sub"]))
                let access = try TokenFixture.claims(tokens.accessToken)
                #expect(claims["sub"] as? String == access["sub"] as? String)
            }
        }
    }

    // T-072
    @Test func `userinfo marks a user name in the form of an address, and says no e-mail address`() async throws {
        try await TokenFixture.run { fixture in
            _ = try await fixture.harness.signUp("casey@example.com")
            let tokens = try await fixture.tokens(scopes: ["openid", "profile", "email"], by: "user:casey@example.com")
            let claims = try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).json()
            #expect(claims["preferred_username"] as? String == "user:casey@example.com")
            #expect(claims["name"] as? String == "user:casey@example.com")
            #expect(claims["email"] == nil && claims["email_verified"] == nil)
        }
    }

    // O-064
    @Test func `userinfo tells a client what its token lacks, in the words of RFC 6750`() async throws {
        try await TokenFixture.run { fixture in
            let none = try await fixture.send(.get, "/oauth/userinfo")
            #expect(none.status == .unauthorized)
            #expect(none.headers[.wwwAuthenticate]?.contains("error") == false)
            let bad = try await fixture.send(.get, "/oauth/userinfo", [.authorization: "Bearer x"])
            #expect(bad.status == .unauthorized)
            #expect(bad.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
            let tokens = try await fixture.tokens(scopes: ["orders"])
            let short = try await fixture.send(.get, "/oauth/userinfo", tokens.bearer)
            try fixture.harness.expect(short, is: "insufficient_scope", 403)
            #expect(short.headers[.wwwAuthenticate] == #"Bearer error="insufficient_scope", scope="openid""#)
        }
    }

    // O-067
    @Test func `attack: an access token in the query or in a form body gets 401 at userinfo`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            let query = TokenFixture.encoded([("access_token", tokens.accessToken)])
            #expect(try await fixture.send(.get, "/oauth/userinfo?" + query).status == .unauthorized)
            let form = try await fixture.form("/oauth/userinfo", [("access_token", tokens.accessToken)])
            #expect(form.status == .unauthorized)
        }
    }

    // T-168, O-063
    @Test func `attack: an OAuth access token gets 401 at the apps' own routes`() async throws {
        try await TokenFixture.run { fixture in
            for client in ["app", "web", "bbms"] {
                let tokens = try await fixture.tokens(of: client)
                for path in ["/auth/me", "/auth/sessions"] {
                    #expect(
                        try await fixture.send(.get, path, tokens.bearer).status == .unauthorized,
                        "\(client) \(path)"
                    )
                    #expect(try await fixture.harness.send(.get, path, tokens.bearer).status == .unauthorized)
                }
            }
        }
    }

    @Test func `attack: an id token gets 401 at userinfo and is not active at introspection`() async throws {
        try await TokenFixture.run { fixture in
            let token = try #require(try await fixture.tokens().idToken)
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            #expect(try await fixture.send(.get, "/oauth/userinfo", headers).status == .unauthorized)
            #expect(try await !fixture.isActive(token, as: "web"))
        }
    }

    // MARK: Introspection (RFC 7662)

    // T-169
    @Test func `a client is told about its own tokens, and a resource server about those that are for it`() async throws
    {
        try await TokenFixture.run { fixture in
            let own = try await fixture.tokens(of: "web")
            let said = try await fixture.introspect(own.accessToken, as: "web")
            #expect(said["active"] as? Bool == true && said["client_id"] as? String == "web")
            #expect(said["scope"] as? String == own.scope && said["token_type"] as? String == "Bearer")
            #expect(said["iss"] as? String == fixture.harness.settings.issuer && said["aud"] as? String == "web")
            #expect(said["acr"] as? String == "face")
            let refresh = try await fixture.introspect(own.refreshToken, as: "web")
            #expect(refresh["active"] as? Bool == true && refresh["token_type"] == nil)
            let tokens = try await fixture.tokens(resources: [TokenFixture.resource])
            let told = try await fixture.introspect(tokens.accessToken, as: "api")
            #expect(told["active"] as? Bool == true && told["client_id"] as? String == "app")
        }
    }

    // T-169, O-072
    @Test func `attack: introspection answers only active false to a client that the token is not for`() async throws {
        try await TokenFixture.run { fixture in
            let own = try await fixture.tokens(of: "web")
            let tokens = try await fixture.tokens(resources: [TokenFixture.resource])
            // “other” has registered itself, and calls itself by the same audience as the resource server.
            let asked = [
                (own.accessToken, "api"), (own.refreshToken, "api"), (tokens.accessToken, "web"),
                (tokens.accessToken, "other"), (tokens.refreshToken, "api"), ("x", "web"),
            ]
            for (token, client) in asked {
                let said = try await fixture.introspect(token, as: client)
                #expect(said.count == 1 && said["active"] as? Bool == false, "\(client)")
            }
        }
    }

    // T-169, O-072
    @Test func `attack: introspection without client authentication gets invalid_client`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            let unshown = try await fixture.form(
                "/oauth/introspect",
                fixture.shown("app") + [("token", tokens.accessToken)]
            )
            try fixture.expect(unshown, is: .invalidClient, 401)
            let bare = try await fixture.form("/oauth/introspect", [("token", tokens.accessToken)])
            try fixture.expect(bare, is: .invalidClient, 401)
        }
    }

    @Test func `a token is inactive once it has expired, was replaced, or its session is over`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(of: "web")
            _ = try await fixture.refresh(tokens.refreshToken, as: "web")
            #expect(try await !fixture.isActive(tokens.refreshToken, as: "web"))
            let later = try await fixture.tokens(of: "web")
            fixture.harness.time.advance(by: .seconds(3600))
            #expect(try await !fixture.isActive(later.accessToken, as: "web"))
            let last = try await fixture.tokens(of: "web")
            let body = fixture.shown("web") + [("token", last.accessToken)]
            #expect(try await fixture.form("/oauth/revoke", body).status == .ok)
            for token in [last.accessToken, last.refreshToken] {
                #expect(try await !fixture.isActive(token, as: "web"))
            }
        }
    }

    @Test func `a bound token says what it is bound to`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens(
                of: "web",
                fixture.harness.proving(.post, "/oauth/token", DPoPMaker())
            )
            let said = try await fixture.introspect(tokens.accessToken, as: "web")
            #expect(said["token_type"] as? String == "DPoP")
            let expected = try TokenFixture.claims(tokens.accessToken)["cnf"] as? [String: String]
            #expect(said["cnf"] as? [String: String] == expected && expected != nil)
        }
    }

    // MARK: Revocation (RFC 7009)

    @Test(arguments: [true, false])
    func `whichever token is revoked, the session ends with all of its tokens`(_ isRefresh: Bool) async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            let token = isRefresh ? try #require(tokens.refreshToken) : tokens.accessToken
            let fields = fixture.shown("app") + [("token", token), ("token_type_hint", "something_else")]
            for _ in 0..<2 { #expect(try await fixture.form("/oauth/revoke", fields).status == .ok) }
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .unauthorized)
            try fixture.expect(try await fixture.refresh(tokens.refreshToken), is: .invalidGrant)
        }
    }

    // T-171
    @Test func `attack: revoking its token removes the client's consent, and another client's try does not`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let (composition, tokens) = (fixture.harness.composition, try await fixture.tokens())
            let account = try await composition.accounts.show("ada@example.com").account.id
            let (store, now) = (composition.stores.oauth.consents, composition.environment.now())
            for client in ["app", "stranger"] {
                let consent = Consent(
                    account: account,
                    clientID: client,
                    scopes: ScopeSet(TokenFixture.scopes),
                    resources: [],
                    grantedAt: now,
                    expiresAt: now + .seconds(3600)
                )
                try await composition.unitOfWork.run { transaction in try store.put(consent, in: transaction) }
            }
            let stolen = fixture.shown("stranger") + [("token", tokens.accessToken)]
            #expect(try await fixture.form("/oauth/revoke", stolen).status == .badRequest)
            #expect(
                try await !consents(of: account, to: "app", composition).isEmpty,
                "another client takes nothing back"
            )
            let fields = fixture.shown("app") + [("token", tokens.accessToken)]
            #expect(try await fixture.form("/oauth/revoke", fields).status == .ok)
            #expect(try await consents(of: account, to: "app", composition).isEmpty)
            #expect(try await !consents(of: account, to: "stranger", composition).isEmpty)
        }
    }

    // T-171
    @Test func `attack: disowning the sign-in that gave a consent removes that consent and its tokens`() async throws {
        try await TokenFixture.run { fixture in
            let (composition, tokens) = (fixture.harness.composition, try await fixture.tokens())
            let account = try await composition.accounts.show("ada@example.com").account.id
            let (store, now) = (composition.stores.oauth.consents, composition.environment.now())
            let identifier = try #require(TokenFixture.claims(tokens.accessToken)["sid"] as? String)
            let session = try #require(SessionID(parsing: identifier))
            let consent = Consent(
                account: account,
                clientID: "app",
                origin: session,
                scopes: ScopeSet(TokenFixture.scopes),
                resources: [],
                grantedAt: now,
                expiresAt: now + .seconds(3600)
            )
            let ended = try await composition.unitOfWork.run { transaction in
                try store.put(consent, in: transaction)
                return try composition.ending.descent.disown(session, of: account, keeping: nil, in: transaction)
            }
            #expect(ended.isChanged)
            #expect(try await consents(of: account, to: "app", composition).isEmpty)
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .unauthorized)
        }
    }

    // O-071
    @Test func `a revoked or expired token gets invalid_token before insufficient_scope`() async throws {
        try await TokenFixture.run { fixture in
            // RFC 6750 §3.1: insufficient_scope is of a token that is good.
            for (client, path) in [("app", "/oauth/userinfo"), ("bbms", "/api/data")] {
                let ask = { (headers: HTTPFields) async throws -> TestResponse in
                    guard client == "bbms" else { return try await fixture.send(.get, path, headers) }
                    return try await fixture.harness.send(.get, path, headers)
                }
                let (revoked, old) = (
                    try await fixture.tokens(of: client, scopes: ["orders"]),
                    try await fixture.tokens(of: client, scopes: ["orders"])
                )
                try fixture.harness.expect(try await ask(revoked.bearer), is: "insufficient_scope", 403)
                let fields = fixture.shown(client) + [("token", revoked.accessToken)]
                #expect(try await fixture.form("/oauth/revoke", fields).status == .ok)
                fixture.harness.time.advance(by: .seconds(1))
                let afterwards = try await ask(revoked.bearer)
                try fixture.harness.expect(try await ask(old.bearer), is: "insufficient_scope", 403)
                fixture.harness.time.advance(by: .seconds(86_400))
                for answer in [afterwards, try await ask(old.bearer)] {
                    #expect(answer.status == .unauthorized, "\(path) \(answer.text)")
                    let challenge = answer.headers[.wwwAuthenticate]
                    #expect(challenge == #"Bearer error="invalid_token""#, "\(path)")
                }
            }
        }
    }

    // O-073
    @Test func `attack: revoking another client's token is refused, and revoking an unknown text gets 200`()
        async throws
    {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            for token in [tokens.accessToken, try #require(tokens.refreshToken)] {
                let refused = try await fixture.form("/oauth/revoke", fixture.shown("stranger") + [("token", token)])
                try fixture.expect(refused, is: .unauthorizedClient)
            }
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .ok)
            #expect(try await fixture.form("/oauth/revoke", fixture.shown("app") + [("token", "x")]).status == .ok)
            try fixture.expect(try await fixture.form("/oauth/revoke", fixture.shown("app")), is: .invalidRequest)
        }
    }

    private func consents(
        of account: AccountID,
        to client: String,
        _ composition: Composition
    ) async throws -> [Consent] {
        try await composition.unitOfWork.read {
            try composition.stores.oauth.consents.find(account, client: client, in: $0)
        }
    }
}
