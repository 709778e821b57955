import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Logging
import MemoryStore
import NIOCore
import Operations
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI
@testable import OAuth
@testable import Settings

/// The authorization endpoint as browsers meet it.
struct AuthorizeTests {
    private static let callback = "https://app.example.com/callback?tenant=7"
    private static let good =
        "client_id=app&response_type=code&scope=openid&state=a%2Bb&code_challenge_method=S256"
        + "&code_challenge=\(String(repeating: "A", count: 43))"
        + "&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback%3Ftenant%3D7"

    // O-010
    @Test(arguments: ["/oauth/authorize", "/authorize"])
    func `a good request waits for a person, in one browser`(_ path: String) async throws {
        try await run { client in
            let answer = try await client.execute(uri: "\(path)?\(Self.good)", method: .get)
            #expect(answer.status == .seeOther)
            let location = try #require(answer.headers[.location])
            #expect(location.hasPrefix("/oauth/sign-in/") && location.utf8.count == 15 + 43)
            let cookie = try #require(answer.headers[.setCookie])
            #expect(cookie.hasPrefix("vst_oauth=") && cookie.contains("HttpOnly; SameSite=Lax"))
        }
    }

    @Test func `what is wrong with a request is told in the language that it asks for`() async throws {
        try await run { client in
            for query in ["client_id=nobody&ui_locales=fr", Self.good + "&ui_locales=tlh%20fr&redirect_uri=x"] {
                let page = try await client.execute(
                    uri: "/oauth/authorize?" + query,
                    method: .get,
                    headers: [.acceptLanguage: "sv"]
                )
                #expect(page.headers[.contentLanguage] == "fr", "\(query)")
            }
        }
    }

    @Test func `the pages of a request are in the language that it asked for, also once it is over`() async throws {
        try await run { client in
            for (query, kept) in [("&ui_locales=tlh%20fr", 1), ("", 0)] {
                let answer = try await client.execute(uri: "/oauth/authorize?" + Self.good + query, method: .get)
                let page = try #require(answer.headers[.location])
                let own = "vst_lang=fr.\(LanguageCookie.mark(of: page)); Path=/;"
                #expect(answer.headers[values: .setCookie].count { $0.hasPrefix(own) } == kept)
            }
        }
    }

    // T-048
    /// RFC 6265 §6.1: a browser keeps a number of cookies of a site, and drops others for more of them.
    @Test func `attack: forty authorization requests leave at most three cookies in the browser`() async throws {
        try await run { client in
            var jar: [String: String] = [:]
            var longest = 0
            for _ in 1...40 {
                let headers: HTTPFields = [.cookie: jar.values.sorted().joined(separator: "; ")]
                let answer = try await client.execute(
                    uri: "/oauth/authorize?" + Self.good + "&ui_locales=fr",
                    method: .get,
                    headers: headers
                )
                for line in answer.headers[values: .setCookie] {
                    let parts = line.split(separator: "; ")
                    let path = parts.first { $0.hasPrefix("Path=") } ?? ""
                    jar["\(parts[0].prefix { $0 != "=" }) \(path)"] = String(parts[0])
                    longest = max(longest, parts[0].utf8.count)
                }
            }
            #expect(jar.count <= 3, "\(jar.keys)")
            #expect(longest < 256)
        }
    }

    // O-011
    /// OpenID Connect Core §3.1.2.1 asks for POST.
    ///
    /// RFC 9700 §4.7: with a form of another site the browser sends no cookie that is `SameSite=Lax`. So an answer
    /// which sets one would end what waits in the browser's other tabs.
    @Test(arguments: ["/oauth/authorize", "/authorize"])
    func `attack: a cross-site authorization POST sets no cookie that ends a waiting request`(
        _ path: String
    ) async throws {
        try await run { client in
            let first = try await client.execute(uri: "\(path)?\(Self.good)", method: .get)
            let cookie = try #require(first.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let waiting = try #require(first.headers[.location])
            let form: HTTPFields = [
                .contentType: "application/x-www-form-urlencoded", .origin: "https://evil.example",
            ]
            let body = ByteBuffer(string: Self.good + "&client_secret=s3cret")
            let posted = try await client.execute(uri: path, method: .post, headers: form, body: body)
            #expect(posted.status == .seeOther && posted.headers[.setCookie] == nil)
            let address = try #require(posted.headers[.location])
            #expect(address.hasPrefix(path + "?") && !address.contains("s3cret"))
            let second = try await client.execute(uri: address, method: .get, headers: [.cookie: cookie])
            #expect(second.status == .seeOther, "\(String(buffer: second.body))")
            #expect(second.headers[.location]?.hasPrefix("/oauth/sign-in/") == true)
            #expect(second.headers[.location] != waiting)
            #expect(second.headers[.setCookie]?.hasPrefix(cookie + ";") == true, "both wait by the same cookie")
        }
    }

    @Test func `a form says the same as its address, and one that can't be read is a page`() async throws {
        try await run { client in
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let odd = "state=a%2Bb%26c%3D%C3%A4+x&resource=https%3A%2F%2Fa.example%2F1&resource=b&empty="
            let posted = try await client.execute(
                uri: "/oauth/authorize",
                method: .post,
                headers: form,
                body: ByteBuffer(string: odd)
            )
            let query = try #require(posted.headers[.location]?.split(separator: "?").last.map(String.init))
            let (sent, read) = (try OAuthForm(odd), try OAuthForm(query))
            #expect(read["state"] == sent["state"] && read.all("resource") == sent.all("resource"))
            #expect(read.names == sent.names)
            let twice = try await client.execute(
                uri: "/oauth/authorize",
                method: .post,
                headers: form,
                body: ByteBuffer(string: "state=a&state=b")
            )
            #expect(twice.status == .badRequest && twice.headers[.location] == nil)
        }
    }

    // O-020
    @Test(arguments: [
        "client_id=nobody", "", good.replacing("tenant%3D7", with: "tenant%3D8"), good + "&state=twice",
        good.replacing("app.example.com", with: "evil.example"),
    ])
    func `a bad request is a page that leads nowhere`(_ query: String) async throws {
        try await run { client in
            let answer = try await client.execute(uri: "/oauth/authorize?\(query)", method: .get)
            #expect(answer.status == .badRequest && answer.headers[.location] == nil)
            #expect(answer.headers[.setCookie] == nil)
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'none'"))
            #expect(!String(buffer: answer.body).contains("evil.example"))
        }
    }

    // O-008, O-019
    @Test func `an authorization redirect has no-store and no-referrer`() async throws {
        try await run { client in
            let answer = try await client.execute(uri: "/oauth/authorize?\(Self.good)&prompt=none", method: .get)
            #expect(answer.status == .seeOther, "never 307")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[our: .referrerPolicy] == "no-referrer")
            let location = try #require(answer.headers[.location])
            #expect(location.hasPrefix(Self.callback + "&error=login_required&error_description="))
            #expect(location.contains("&state=a%2Bb&iss="))
        }
    }

    // O-016
    @Test func `an authorization answer by form_post is a page with the client's address as its action`() async throws {
        try await run { client in
            let query = Self.good + "&prompt=none&response_mode=form_post"
            let answer = try await client.execute(uri: "/oauth/authorize?\(query)", method: .get)
            let page = String(buffer: answer.body)
            #expect(answer.status == .ok && answer.headers[.location] == nil)
            #expect(page.contains(#"action="https://app.example.com/callback?tenant=7""#))
            #expect(
                page.contains(#"name="error" value="login_required""#) && page.contains(#"name="state" value="a+b""#)
            )
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(policy.contains(LandingPages.hash(of: WebAssets.submitScript(afterMilliseconds: 0))))
            #expect(!policy.contains("form-action") && policy.contains("default-src 'none'"))
        }
    }

    @Test(arguments: [
        ("https://app.example.com", "https://app.example.com?a=%20%2B"), ("app://cb", "app://cb?a=%20%2B"),
        ("https://app.example.com/?x=1", "https://app.example.com/?x=1&a=%20%2B"),
        ("https://app.example.com/?", "https://app.example.com/?a=%20%2B"),
        ("https://app.example.com/?x=1&", "https://app.example.com/?x=1&a=%20%2B"),
    ])
    func `parameters stand behind what the redirect URI has of a query`(_ uri: String, _ expected: String) {
        let answer = AuthorizationAnswer(redirectURI: uri, responseMode: .query, parameters: [.init("a", " +")])
        #expect(AnswerResponse.location(of: answer) == expected)
    }

    // T-196
    @Test func `attack: a client of an upstream gets unauthorized_client at authorize and at PAR`() async throws {
        try await run { client in
            let query = Self.good.replacing("client_id=app", with: "client_id=brokered")
            let answer = try await client.execute(uri: "/oauth/authorize?\(query)", method: .get)
            #expect(answer.status == .badRequest && answer.headers[.location] == nil)
            #expect(String(buffer: answer.body).contains("unauthorized_client"))
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let body = ByteBuffer(string: query)
            let pushed = try await client.execute(uri: "/oauth/par", method: .post, headers: form, body: body)
            #expect(pushed.status == .badRequest)
            #expect(String(buffer: pushed.body).contains("unauthorized_client"))
        }
    }

    // O-029
    @Test func `attack: a public client's third pushed request from one address gets 429`() async throws {
        let few: (inout Settings) -> Void = {
            $0.limits.off = false
            $0.limits.rates.logins.initiatePerAddress = RateLimit(burst: 2, every: .seconds(3600))
        }
        try await run(few) { client in
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            var statuses: [Int] = []
            for _ in 0..<3 {
                let body = ByteBuffer(string: Self.good)
                let pushed = try await client.execute(uri: "/oauth/par", method: .post, headers: form, body: body)
                statuses.append(Int(pushed.status.code))
            }
            #expect(statuses == [201, 201, 429])
        }
    }

    private static func client(_ id: String, upstream: String? = nil) -> OAuthClient {
        OAuthClient(
            id: id,
            name: "The App",
            origin: .config,
            authentication: .none,
            access: OAuthClient.Access(grants: [.authorizationCode], scopes: ScopeSet(["openid"]), audience: "app"),
            authorization: OAuthClient.AuthorizationRules(redirectURIs: [callback], upstream: upstream)
        )
    }

    private func run(
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @Sendable @escaping (any TestClientProtocol) async throws -> Void
    ) async throws {
        try await Harness.run(.router, change) { harness in
            let directory = OAuthClientDirectory(
                configured: [Self.client("app"), Self.client("brokered", upstream: "elsewhere")]
            )
            let api = harness.api(of: directory, environment: harness.time.environment(seed: 7))
            let application = harness.application(api.authorizationRoutes, of: api)
            try await application.test(.router) { client in try await body(client) }
        }
    }
}
