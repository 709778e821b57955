import HTTPTypes
import HummingbirdTesting
import OAuth
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Pages that people act on are in no frame, and a frame of another site has no cookie to act with (RFC 9700 §4.16).
struct FramingTests {
    private static let pages = [
        "/oauth/authorize", "/oauth/authorize?client_id=nobody", "/authorize", "/oauth/sign-in/AAAA",
        "/oauth/sign-in/AAAA/wait", "/oauth/upstream/callback?state=x&code=y", "/oauth/logout",
        "/oauth/logout?client_id=nobody", "/device", "/device?user_code=WDJB-MJHT", "/go/AAAA", "/login.html",
        "/account", "/account/password",
    ]

    // T-037, O-020, O-021
    @Test func `attack: every page forbids framing, also error pages`() async throws {
        try await Harness.run { harness in
            for path in Self.pages { try Self.check(try await harness.send(.get, path), path) }
        }
    }

    // T-037, O-020
    @Test func `attack: every page of an OAuth sign-in forbids framing, from the first to consent`() async throws {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.harness.signUp("grace")
            let browser = try await fixture.browser(fixture.request(of: "strange"))
            try Self.check(try await browser.load())
            try Self.check(try await fixture.browser().startFace())
            let signedIn = try await browser.show(owner.credential)
            let cookies = signedIn.headers[values: .setCookie]
            #expect(!cookies.isEmpty)
            for cookie in cookies { #expect(cookie.contains("; SameSite=Lax"), "\(cookie)") }
            let consent = try await browser.load()
            #expect(consent.status == .ok && consent.text.contains("Allow Their App"))
            try Self.check(consent)
            // What a frame of another site sends: nothing of the browser's jar.
            #expect(try await fixture.send(.get, browser.page).status == .gone)
            let pressed = try await fixture.send(.post, browser.page + "/consent", [.fetchSite: "cross-site"], body: "")
            #expect(pressed.status == .forbidden)
            #expect(try await browser.load().text.contains("Allow Their App"), "nobody has agreed")
        }
    }

    private static func check(_ page: TestResponse, _ path: String = "") throws {
        let policies = page.headers[values: .contentSecurityPolicy]
        #expect(policies.count == 1 && policies[0].contains("frame-ancestors 'none'"), "\(path): \(policies)")
        #expect(page.headers[values: .accessControlAllowOrigin].isEmpty, "\(path)")
    }
}
