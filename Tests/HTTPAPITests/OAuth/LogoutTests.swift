import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// RP-initiated logout, and the documents that say where it is.
struct LogoutTests {
    // O-061
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a client signs out whom it signed in: its session ends, and the browser goes back`(
        _ storage: HarnessStorage
    ) async throws {
        try await TokenFixture.run(storage: storage) { fixture in
            let tokens = try await fixture.tokens()
            let query = TokenFixture.encoded([
                ("id_token_hint", try #require(tokens.idToken)), ("state", "a b&c"),
                ("post_logout_redirect_uri", "https://app.example.com/bye"),
            ])
            let answer = try await fixture.send(.get, "/oauth/logout?" + query)
            #expect(answer.status == .seeOther, "\(answer.text)")
            #expect(answer.headers[.location] == "https://app.example.com/bye?state=a%20b%26c")
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .unauthorized)
        }
    }

    // O-008
    @Test func `an expired id token is as good a hint, and a form as good as a link`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            fixture.harness.time.advance(by: .seconds(7200))
            let hint = ("id_token_hint", try #require(tokens.idToken))
            let sent = try await fixture.form("/oauth/logout", [hint], [.origin: "https://app.example.com"])
            #expect(sent.status == .seeOther && sent.headers[.cacheControl] == "no-store")
            let answer = try await fixture.send(.get, try #require(sent.headers[.location]))
            #expect(answer.status == .ok && answer.text.contains("signed out"), "\(answer.text)")
            try fixture.expect(try await fixture.refresh(tokens.refreshToken), is: .invalidGrant)
        }
    }

    @Test func `a browser that is signed in is asked where nothing shows whom the client means`() async throws {
        try await TokenFixture.run { fixture in
            let browser = try await fixture.harness.signUp("robin")
            let fields = [("client_id", "app"), ("post_logout_redirect_uri", "https://app.example.com/bye")]
            let query = TokenFixture.encoded(fields)
            let page = try await fixture.send(.get, "/oauth/logout?" + query, browser.headers)
            #expect(page.status == .ok && page.text.contains("<form"), "\(page.text)")
            #expect(try await fixture.harness.who(browser.cookie) == "robin", "a link alone signs nobody out")
            let confirmed = try await fixture.form(
                "/oauth/logout/confirm?" + query,
                [],
                browser.headers.adding(.fetchSite, "same-origin")
            )
            #expect(confirmed.headers[.location] == "https://app.example.com/bye")
            #expect(try await fixture.harness.who(browser.cookie) == nil)
        }
    }

    // T-170
    @Test func `a logout form sent without cookies is redirected to the page that has them`() async throws {
        try await TokenFixture.run { fixture in
            let (tokens, browser) = (try await fixture.tokens(), try await fixture.harness.signUp("robin"))
            let address = "https://app.example.com/bye"
            let fields = [
                ("client_id", "app"), ("post_logout_redirect_uri", address), ("state", "a b&c"), ("junk", "x"),
            ]
            // What the browser sends for another site's form: SameSite=Lax keeps its cookies back.
            let sent = try await fixture.form("/oauth/logout", fields, [.origin: "https://app.example.com"])
            let next = try #require(sent.headers[.location])
            #expect(sent.status == .seeOther && next.hasPrefix("/oauth/logout?client_id=app&"), "\(next)")
            #expect(!next.contains("junk") && sent.headers[.setCookie] == nil)
            let page = try await fixture.send(.get, next, browser.headers)
            #expect(page.status == .ok && page.text.contains("<form"), "asked, since nothing shows whom it means")
            #expect(try await fixture.harness.who(browser.cookie) == "robin")
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .ok)
        }
    }

    // O-005
    @Test func `attack: a logout form with an unregistered return address gets 400 after its redirect`() async throws {
        try await TokenFixture.run { fixture in
            let fields = [("post_logout_redirect_uri", "https://evil.example.com/\r\nX: y"), ("client_id", "app")]
            let sent = try await fixture.form("/oauth/logout", fields, [.origin: "https://evil.example.com"])
            let next = try #require(sent.headers[.location])
            #expect(next.hasPrefix("/oauth/logout?") && !next.contains("\r") && !next.contains("\n"))
            #expect(try await fixture.send(.get, next).status == .badRequest)
        }
    }

    // T-170, O-006
    @Test func `attack: a cross-site POST of the logout confirmation gets 403 and signs nobody out`() async throws {
        try await TokenFixture.run { fixture in
            let browser = try await fixture.harness.signUp("robin")
            let headers = browser.headers.adding(.origin, "https://evil.example.com")
            let refused = try await fixture.form("/oauth/logout/confirm?client_id=app", [], headers)
            #expect(refused.status == .forbidden)
            #expect(try await fixture.harness.who(browser.cookie) == "robin")
        }
    }

    // T-170, O-006
    @Test func `attack: another account's id token as a hint signs nobody out without a confirmation`() async throws {
        try await TokenFixture.run { fixture in
            let (browser, tokens) = (try await fixture.harness.signUp("robin"), try await fixture.tokens())
            let query = TokenFixture.encoded([("id_token_hint", try #require(tokens.idToken))])
            let page = try await fixture.send(.get, "/oauth/logout?" + query, browser.headers)
            #expect(page.text.contains("<form"))
            #expect(try await fixture.harness.who(browser.cookie) == "robin")
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .ok)
        }
    }

    // T-170, O-005, O-006
    @Test(arguments: [
        "https://evil.example.com/bye", "https://app.example.com/bye/", "https://app.example.com/BYE",
        "https://app.example.com/bye?x=1", "https://app.example.com/bye#", "https://app.example.com/x/../bye",
        "https://app.example.com@evil.example.com/bye", "//app.example.com/bye", "https://stranger.example.com/bye",
    ])
    func `attack: logout refuses a return address that the client has not registered`(_ address: String) async throws {
        try await TokenFixture.run { fixture in
            for client in ["app", "nobody"] {
                let query = TokenFixture.encoded([("client_id", client), ("post_logout_redirect_uri", address)])
                let answer = try await fixture.send(.get, "/oauth/logout?" + query)
                #expect(answer.status == .badRequest && answer.headers[.location] == nil, "\(answer.text)")
            }
        }
    }

    // T-170
    @Test func `attack: logout refuses one client's id token with another client's return address`() async throws {
        try await TokenFixture.run { fixture in
            let tokens = try await fixture.tokens()
            for client in [nil, "stranger"] as [String?] {
                let fields =
                    [
                        ("id_token_hint", try #require(tokens.idToken)),
                        ("post_logout_redirect_uri", "https://stranger.example.com/bye"),
                    ] + (client.map { [("client_id", $0)] } ?? [])
                let answer = try await fixture.send(.get, "/oauth/logout?" + TokenFixture.encoded(fields))
                #expect(answer.status == .badRequest)
            }
            #expect(try await fixture.send(.get, "/oauth/userinfo", tokens.bearer).status == .ok)
        }
    }

    // MARK: Discovery

    // O-035, O-041, O-089
    @Test func `both documents say the same, and every address in them is a route`() async throws {
        try await TokenFixture.run { fixture in
            let paths = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]
            let first = try await fixture.send(.get, paths[0])
            let second = try await fixture.send(.get, paths[1])
            #expect(first.text == second.text)
            #expect(first.headers[.cacheControl] == "public, max-age=300")
            let document = try first.json()
            #expect(document["issuer"] as? String == fixture.harness.settings.issuer)
            #expect(document["grant_types_supported"] as? [String] == ["authorization_code", "refresh_token"])
            #expect(document["code_challenge_methods_supported"] as? [String] == ["S256"])
            #expect(document["id_token_signing_alg_values_supported"] as? [String] == ["ES256", "RS256"])
            for absent in [
                "registration_endpoint", "device_authorization_endpoint", "backchannel_authentication_endpoint",
            ] {
                #expect(document[absent] == nil, "\(absent)")
            }
            let base = fixture.harness.settings.publicURL
            for name in ["token", "revocation", "introspection", "userinfo", "end_session"] {
                let address = try #require(document["\(name)_endpoint"] as? String)
                let path = String(address.dropFirst(base.count))
                #expect(try await fixture.send(.post, path).status != .notFound, "\(path)")
            }
        }
    }
}
