import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Scripts of other origins at the addresses that browsers are sent to: there is no CORS (RFC 9700 §2.6).
struct AuthorizeCrossOriginTests {
    private static let app = "https://app.example.com"
    private static let corsHeaders: [HTTPField.Name] = [
        .accessControlAllowOrigin, .accessControlAllowCredentials, .accessControlAllowMethods,
        .accessControlAllowHeaders, .accessControlMaxAge, .accessControlExposeHeaders,
    ]

    // O-017
    @Test(arguments: [
        "/oauth/authorize", "/authorize", "/oauth//authorize/", "/oauth/authorize?response_mode=form_post&prompt=none",
        "/oauth/sign-in/AAAA", "/oauth/sign-in/AAAA/wait", "/oauth/upstream/callback", "/oauth/logout", "/device",
        "/account", "/account/password",
    ])
    func `attack: the person's OAuth pages have no CORS headers, also for a listed origin`(
        _ path: String
    ) async throws {
        try await Harness.run {
            $0.listen.corsOrigins = [Self.app]
        } _: { harness in
            let asked = try await harness.send(
                .options,
                path,
                [.origin: Self.app, .accessControlRequestMethod: "GET"]
            )
            #expect(asked.status == .forbidden && asked.text.contains("origin_not_allowed"))
            let read = try await harness.send(.get, path, [.origin: Self.app])
            for answer in [asked, read] {
                for name in Self.corsHeaders { #expect(answer.headers[name] == nil, "\(name)") }
            }
            // It is listed: what clients call themselves it may read.
            for open in ["/oauth/token", "/.well-known/openid-configuration", "/.well-known/jwks.json"] {
                let answer = try await harness.send(.get, open, [.origin: Self.app])
                #expect(answer.headers[.accessControlAllowOrigin] == Self.app, "\(open)")
            }
        }
    }

    /// A page of a client may send its visitor here by a form all the same (OpenID Connect Core §3.1.2.1).
    @Test(arguments: [app, "https://elsewhere.example.com"])
    func `a cross-origin form reaches the authorization endpoint, and its consent is refused`(
        _ origin: String
    ) async throws {
        try await Harness.run {
            $0.listen.corsOrigins = [Self.app]
        } _: { harness in
            let form: HTTPFields = [.origin: origin, .contentType: "application/x-www-form-urlencoded"]
            let answer = try await harness.send(.post, "/oauth/authorize", form, body: "client_id=nobody")
            #expect(answer.status == .seeOther && answer.headers[.accessControlAllowOrigin] == nil)
            #expect(answer.headers[.location] == "/oauth/authorize?client_id=nobody")
            let press = try await harness.send(.post, "/oauth/sign-in/AAAA/consent", form, body: "as=x")
            try harness.expect(press, is: "origin_not_allowed", 403)
        }
    }
}
