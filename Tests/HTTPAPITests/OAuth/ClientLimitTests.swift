import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Testing

@testable import Assembly
@testable import HTTPAPI

/// How often a client may fail to show itself.
struct ClientLimitTests {
    private static func wrong(_ client: String) -> [(String, String)] {
        [("client_id", client), ("client_secret", "wrong"), ("grant_type", "refresh_token"), ("refresh_token", "x")]
    }

    // T-157, O-079
    @Test(.ofOneDaemon(.learnedByFailing))
    func `attack: the 21st wrong client secret gets 429, and so does the right one then`() async throws {
        try await TokenFixture.run(isLimited: true) { fixture in
            let tokens = try await fixture.tokens(of: "web")
            for _ in 0..<20 {
                try fixture.expect(try await fixture.form("/oauth/token", Self.wrong("web")), is: .invalidClient, 401)
            }
            let refused = try await fixture.form("/oauth/token", Self.wrong("web"))
            #expect(refused.status == .tooManyRequests, "\(refused.text)")
            #expect(refused.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
            // Not even the right one: a guess must not be told from the secret.
            let right = try await fixture.refresh(tokens.refreshToken, as: "web")
            #expect(right.status == .tooManyRequests)
            let elsewhere = try await fixture.form(
                "/oauth/introspect",
                fixture.shown("web") + [("token", tokens.accessToken)]
            )
            #expect(elsewhere.status == .tooManyRequests, "no other endpoint has a budget of its own")
            #expect(try await fixture.isActive(tokens.accessToken, as: "other") == false, "another client is heard")
            fixture.harness.time.advance(by: .seconds(61))
            #expect(
                try await fixture.refresh(tokens.refreshToken, as: "web").status == .ok,
                "it is locked out by nobody"
            )
        }
    }

    // T-157
    @Test func `forty valid client authentications use up none of the client's budget`() async throws {
        try await TokenFixture.run(isLimited: true) { fixture in
            let tokens = try await fixture.tokens(of: "web")
            for _ in 0..<40 { #expect(try await fixture.isActive(tokens.accessToken, as: "web")) }
        }
    }
}
