import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Settings
import Testing
import Wire

@testable import Assembly

/// The published app keeps cookies without knowing, and so its refresh token is replaced after all.
struct RefreshCookieTests {
    // T-043
    @Test func `a sign-in sets the cookie for the routes that take it, and for an app that keeps cookies alone`()
        async throws
    {
        try await Harness.run { harness in
            let cookie = try await Self.signIn(harness).setCookie("vst_refresh") ?? "-"
            for attribute in ["Path=/auth", "HttpOnly", "SameSite=Lax", "Max-Age=2592000"] {
                #expect(cookie.contains(attribute), "\(cookie)")
            }
            let login = try await harness.start(isChallenged: true)
            try await harness.approve(login)
            let without = try await harness.poll(login, Harness.proof)
            #expect(without.status == .ok && without.setCookie("vst_refresh") == nil)
        }
        try await Harness.run {
            $0.clients[0].refresh.rotation = .always
        } _: { harness in
            let answer = try await Self.signIn(harness)
            #expect(answer.setCookie("vst_refresh") == nil, "it rotates in the body")
        }
    }

    @Test func `the cookie wins over the bearer token and is replaced; the body has no refresh token`() async throws {
        try await Harness.run { harness in
            let signedIn = try await Self.signIn(harness)
            let bearer = try #require(try signedIn.decode(PollLoginResponse.self).refreshToken)
            var cookie = try #require(signedIn.cookie("vst_refresh"))
            for _ in 0..<3 {
                let response = try await harness.send(.post, "/auth/refresh", .cookies(cookie).bearing(bearer))
                #expect(try response.decode(RefreshResponse.self).refreshToken == nil)
                let next = try #require(response.cookie("vst_refresh"))
                #expect(next != cookie)
                cookie = next
                harness.time.advance(by: .seconds(20 * 3600))
            }
            let attacker = try await harness.send(.post, "/auth/refresh", .bearing(bearer))
            try harness.expect(attacker, is: "unauthorized", 401)
            let owner = try await harness.send(.post, "/auth/refresh", .cookies(cookie))
            try harness.expect(owner, is: "unauthorized", 401)
            #expect(owner.setCookie("vst_refresh")?.contains("Max-Age=0") == true, "and is taken away")
        }
    }

    @Test func `over HTTPS the cookie is sent over nothing else`() async throws {
        try await Harness.run { settings in
            settings.publicURL = "https://login.example.com"
        } _: { harness in
            let cookie = try await Self.signIn(harness).setCookie("vst_refresh")
            #expect(cookie?.contains("Secure") == true)
        }
        try await Harness.run { harness in
            let cookie = try await Self.signIn(harness).setCookie("vst_refresh")
            #expect(cookie?.contains("Secure") == false)
        }
    }

    @Test func `a refresh cookie that was replaced gets 401 and is not deleted`()
        async throws
    {
        try await Harness.run { harness in
            let first = try #require(try await Self.signIn(harness).cookie("vst_refresh"))
            let second = try await harness.send(.post, "/auth/refresh", .cookies(first)).cookie("vst_refresh")
            #expect(try await harness.send(.post, "/auth/refresh", .cookies(second)).status == .ok)
            let late = try await harness.send(.post, "/auth/refresh", .cookies(first))
            try harness.expect(late, is: "unauthorized", 401)
            #expect(late.setCookie("vst_refresh") == nil)
        }
    }

    @Test func `an unreadable refresh cookie beside a bearer token is ignored`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let old: HTTPFields = .cookies("vst_refresh=x.y.z")
            #expect(try await harness.refresh(ada.tokens.refreshToken, old).expiresIn == 3600)
        }
    }

    // T-043
    @Test func `attack: a refresh cookie and a bearer token of two accounts get 400, and both stay good`()
        async throws
    {
        try await Harness.run { harness in
            let cookie = try await Self.signIn(harness).cookie("vst_refresh")
            let bob = try await harness.signIn("bob@example.com")
            for path in ["/auth/refresh", "/auth/logout"] {
                let headers = HTTPFields.cookies(cookie).bearing(bob.tokens.refreshToken)
                try harness.expect(try await harness.send(.post, path, headers), is: "invalid_request", 400)
            }
            #expect(try await harness.refresh(bob.tokens.refreshToken).expiresIn == 3600)
            #expect(try await harness.send(.post, "/auth/refresh", .cookies(cookie)).status == .ok)
        }
    }

    // T-044
    /// RFC 6265 §8.6: a site beside this one sets cookies for both; RFC 6265bis §4.1.3.2: not those of a `__Host-` name.
    @Test
    func `attack: a refresh cookie set by a sibling domain is ignored beside the __Host- companion cookie`()
        async throws
    {
        try await Harness.run {
            $0.publicURL = "https://login.example.com"
        } _: { harness in
            let ada = try await Self.signIn(harness)
            let own = try #require(ada.refreshCookies)
            let companion = try #require(ada.cookie("__Host-vst_refresh="))
            let attributes = try #require(ada.setCookie("__Host-vst_refresh="))
            for attribute in ["Path=/;", "HttpOnly", "SameSite=Lax", "Secure"] {
                #expect(attributes.contains(attribute))
            }
            let bob = try await harness.signIn("bob@example.com")
            let injected = "vst_refresh=\(bob.tokens.refreshToken)"
            for cookies in [
                injected, injected + "; " + companion, own.replacing(companion, with: ""), own + "; " + companion,
            ] {
                for stale: HTTPFields in [.cookies(cookies), .cookies(cookies).bearing("stale")] {
                    try harness.expect(try await harness.send(.post, "/auth/refresh", stale), is: "unauthorized", 401)
                }
            }
            // Beside her own it is passed over, whichever is sent first.
            let first = try await harness.send(.post, "/auth/refresh", .cookies(injected + "; " + own))
            #expect(try await Self.address(harness, first) == "ada@example.com")
            let next = try #require(first.refreshCookies)
            let second = try await harness.send(.post, "/auth/refresh", .cookies(next + "; " + injected))
            #expect(try await Self.address(harness, second) == "ada@example.com")
            // Nor does it stop her bearer token, or her signing out, which is not the end of the sibling's session.
            let bearer = try await harness.signIn()
            let refreshed = try await harness.send(
                .post,
                "/auth/refresh",
                .cookies(injected).bearing(bearer.tokens.refreshToken)
            )
            #expect(try await Self.address(harness, refreshed) == "ada@example.com")
            let out = try await harness.send(.post, "/auth/logout", bearer.bearer.adding(.cookie, injected))
            #expect(out.status == .ok)
            #expect(try #require(out.setCookie("__Host-vst_refresh=")).contains("Max-Age=0"))
            try harness.expect(try await harness.send(.get, "/auth/me", bearer.bearer), is: "unauthorized", 401)
            #expect(try await harness.refresh(bob.tokens.refreshToken).expiresIn == 3600)
        }
    }

    // T-044
    @Test func `two refresh cookies over plain http get 401, and one of them alone still refreshes`() async throws {
        try await Harness.run { harness in
            let cookie = try #require(try await Self.signIn(harness).cookie("vst_refresh"))
            let bob = try await harness.signIn("bob@example.com")
            for both in ["vst_refresh=\(bob.tokens.refreshToken); \(cookie)", cookie + "; " + cookie] {
                let answer = try await harness.send(.post, "/auth/refresh", .cookies(both))
                try harness.expect(answer, is: "unauthorized", 401)
            }
            #expect(try await harness.send(.post, "/auth/refresh", .cookies(cookie)).status == .ok)
        }
    }

    private static func address(_ harness: Harness, _ refreshed: TestResponse) async throws -> String? {
        guard refreshed.status == .ok else { return nil }
        let token = try refreshed.decode(RefreshResponse.self).accessToken
        return try await harness.send(.get, "/auth/me", .bearing(token)).decode(SignedInUserResponse.self).user.email
    }

    private static func signIn(_ harness: Harness) async throws -> TestResponse {
        let login = try await harness.start()
        try await harness.approve(login)
        return try await harness.poll(login, .cookies(login.cookie))
    }
}

extension TestResponse {
    /// The refresh cookie with its companion, as a browser sends them back; `nil` where it sets none.
    fileprivate var refreshCookies: String? {
        let own = ["vst_refresh=", "__Host-vst_refresh="].compactMap { cookie($0) }
        return own.isEmpty ? nil : own.joined(separator: "; ")
    }
}
