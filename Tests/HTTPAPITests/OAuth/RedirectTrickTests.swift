import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Addresses that are nearly a client's, through the whole server, as browsers send them (RFC 9700 §2.1, §4.1.3, §4.11.2).
struct RedirectTrickTests {
    private static let callback = "https://app.example.com/callback"
    private static let machine = "http://127.0.0.1/cb"

    private func run(_ body: @Sendable (Harness) async throws -> Void) async throws {
        try await Harness.run { harness in
            var metadata = ClientMetadata()
            metadata.redirectURIs = [Self.callback, Self.machine]
            metadata.method = .none
            _ = try await harness.composition.oauth.clients.add(metadata, id: "redirected")
            try await body(harness)
        }
    }

    private static func fields(_ redirectURI: String, _ more: [(String, String)]) -> String {
        let usual = [
            ("client_id", "redirected"), ("scope", "openid"), ("state", "s"), ("redirect_uri", redirectURI),
            ("code_challenge", String(repeating: "A", count: 43)), ("code_challenge_method", "S256"),
        ]
        return TokenFixture.encoded(usual + more)
    }

    /// The two answers of the endpoint to those fields, by GET and by POST.
    private static func asked(_ fields: String, _ harness: Harness) async throws -> [TestResponse] {
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let read = try await harness.send(.get, "/oauth/authorize?" + fields)
        // With two slashes in front a path names a host.
        let posted = try await harness.send(.post, "//oauth/authorize", form, body: fields)
        guard posted.status == .seeOther else { return [read, posted] }
        let place = try #require(posted.headers[.location])
        #expect(place.hasPrefix("/oauth/authorize?"), "a form leads to the endpoint's own address: \(place)")
        return [read, try await harness.send(.get, place)]
    }

    // O-001, O-004, O-005
    @Test(arguments: [
        // Case.
        "HTTPS://app.example.com/callback", "https://APP.example.com/callback", "https://app.example.com/Callback",
        // Port.
        "https://app.example.com:443/callback", "https://app.example.com:8443/callback",
        // Path and dot segments, escaped or not.
        "https://app.example.com/callback/", "https://app.example.com/callback/evil.example.com",
        "https://app.example.com/x/../callback", "https://app.example.com/./callback",
        "https://app.example.com/callback/%2e%2e/evil.example.com", "https://app.example.com/%63allback",
        // Userinfo, and what parsers take for a host.
        "https://app.example.com@evil.example.com/callback", "https://user@app.example.com/callback",
        "https://app.example.com:443@evil.example.com/callback", "https://app.example.com\\@evil.example.com/callback",
        "https://app.example.com.evil.example.com/callback",
        "https://evil.example.com/https://app.example.com/callback",
        // Fragments.
        "https://app.example.com/callback#", "https://app.example.com/callback#@evil.example.com",
        // A query that makes a redirector of the client's own page.
        "https://app.example.com/callback?next=https://evil.example.com/", "https://app.example.com/callback?",
        // Another scheme, and lines of a header.
        "http://app.example.com/callback", "javascript:location='https://evil.example.com'",
        "https://app.example.com/callback\r\nLocation: https://evil.example.com",
        "https://app.example.com/callback\u{0}",
        // Of a loopback address the port alone is free.
        "http://127.0.0.1:4711@evil.example.com/cb", "http://127.0.0.1:4711/cb/", "http://localhost:4711/cb",
        "http://127.0.0.1.evil.example.com/cb", "https://127.0.0.1:4711/cb", "http://[::1]:4711/cb",
    ])
    func `attack: an unregistered redirect URI gets 400 and no redirect, whatever else is wrong`(
        _ uri: String
    ) async throws {
        try await run { harness in
            for more in [
                [("response_type", "code")], [("response_type", "code"), ("prompt", "none")],
                [("response_type", "token")], [("response_type", "code"), ("response_mode", "form_post")],
            ] {
                for answer in try await Self.asked(Self.fields(uri, more), harness) {
                    #expect(answer.status == .badRequest)
                    #expect(answer.headers[.location] == nil && answer.headers[.setCookie] == nil)
                    #expect(!answer.text.contains("evil.example.com"))
                }
            }
        }
    }

    // O-004, O-005
    @Test func `attack: a repeated redirect_uri gets 400 and no redirect`() async throws {
        try await run { harness in
            let more = [("response_type", "code"), ("prompt", "none"), ("redirect_uri", "https://evil.example.com/")]
            for answer in try await Self.asked(Self.fields(Self.callback, more), harness) {
                #expect(answer.status == .badRequest && answer.headers[.location] == nil)
            }
        }
    }

    // O-008, O-012
    /// RFC 9700 §4.12: with a 307 a browser would send its form on to the client.
    @Test(arguments: [
        (callback, callback), (machine, machine), ("http://127.0.0.1:4711/cb", "http://127.0.0.1:4711/cb"),
    ])
    func `a registered redirect URI gets the answer by 303 with iss`(
        _ uri: String,
        _ place: String
    ) async throws {
        try await run { harness in
            let fields = Self.fields(uri, [("response_type", "code"), ("prompt", "none")])
            for answer in try await Self.asked(fields, harness) {
                #expect(answer.status == .seeOther)
                let location = try #require(answer.headers[.location])
                #expect(location.hasPrefix(place + "?error=login_required&"), "\(location)")
                #expect(location.hasSuffix("&iss=" + PercentEncoding.component(harness.settings.issuer)), "\(location)")
            }
        }
    }
}
