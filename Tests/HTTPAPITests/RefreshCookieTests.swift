import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing
import Wire

@testable import Vestibule

/// The published app keeps cookies without knowing, and so its refresh token is replaced after all.
struct RefreshCookieTests {
    @Test func `a sign-in sets the cookie for the routes that take it, and for an app that keeps cookies alone`()
        async throws
    {
        try await Bench.run { bench in
            let cookie = try await Self.signIn(bench).setCookie("vst_refresh") ?? "-"
            for attribute in ["Path=/auth", "HttpOnly", "SameSite=Lax", "Max-Age=2592000"] {
                #expect(cookie.contains(attribute), "\(cookie)")
            }
            let login = try await bench.start(isChallenged: true)
            try await bench.approve(login)
            let without = try await bench.poll(login, Bench.proof)
            #expect(without.status == .ok && without.setCookie("vst_refresh") == nil)
        }
        try await Bench.run {
            $0.clients[0].refresh = .rotation
        } _: { bench in
            let answer = try await Self.signIn(bench)
            #expect(answer.setCookie("vst_refresh") == nil, "it rotates in the body")
        }
    }

    @Test func `the cookie wins over the bearer token and is replaced; the body has no refresh token`() async throws {
        try await Bench.run { bench in
            let signedIn = try await Self.signIn(bench)
            let bearer = try #require(try signedIn.decode(PollLoginResponse.self).refreshToken)
            var cookie = try #require(signedIn.cookie("vst_refresh"))
            for _ in 0..<3 {
                let response = try await bench.send(.post, "/auth/refresh", .cookies(cookie).bearing(bearer))
                #expect(try response.decode(RefreshResponse.self).refreshToken == nil)
                let next = try #require(response.cookie("vst_refresh"))
                #expect(next != cookie)
                cookie = next
                bench.time.advance(by: .seconds(20 * 3600))
            }
            let thief = try await bench.send(.post, "/auth/refresh", .bearing(bearer))
            try bench.expect(thief, is: "unauthorized", 401)
            let owner = try await bench.send(.post, "/auth/refresh", .cookies(cookie))
            try bench.expect(owner, is: "unauthorized", 401)
            #expect(owner.setCookie("vst_refresh")?.contains("Max-Age=0") == true, "and is taken away")
        }
    }

    @Test func `over HTTPS the cookie is sent over nothing else`() async throws {
        try await Bench.run { settings in
            settings.publicURL = "https://login.example.com"
        } _: { bench in
            let cookie = try await Self.signIn(bench).setCookie("vst_refresh")
            #expect(cookie?.contains("Secure") == true)
        }
        try await Bench.run { bench in
            let cookie = try await Self.signIn(bench).setCookie("vst_refresh")
            #expect(cookie?.contains("Secure") == false)
        }
    }

    @Test func `a cookie that was replaced a moment ago is not taken away: its successor may be in the jar`()
        async throws
    {
        try await Bench.run { bench in
            let first = try #require(try await Self.signIn(bench).cookie("vst_refresh"))
            let second = try await bench.send(.post, "/auth/refresh", .cookies(first)).cookie("vst_refresh")
            #expect(try await bench.send(.post, "/auth/refresh", .cookies(second)).status == .ok)
            let late = try await bench.send(.post, "/auth/refresh", .cookies(first))
            try bench.expect(late, is: "unauthorized", 401)
            #expect(late.setCookie("vst_refresh") == nil)
        }
    }

    @Test func `a cookie that can't be read counts as none`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let old: HTTPFields = .cookies("vst_refresh=x.y.z")
            #expect(try await bench.refresh(ada.tokens.refreshToken, old).expiresIn == 3600)
        }
    }

    @Test func `attack: a cookie and a bearer token of two accounts are refused, and nothing happens to either`()
        async throws
    {
        try await Bench.run { bench in
            let cookie = try await Self.signIn(bench).cookie("vst_refresh")
            let bob = try await bench.signIn("bob@example.com")
            for path in ["/auth/refresh", "/auth/logout"] {
                let headers = HTTPFields.cookies(cookie).bearing(bob.tokens.refreshToken)
                try bench.expect(try await bench.send(.post, path, headers), is: "invalid_request", 400)
            }
            #expect(try await bench.refresh(bob.tokens.refreshToken).expiresIn == 3600)
            #expect(try await bench.send(.post, "/auth/refresh", .cookies(cookie)).status == .ok)
        }
    }

    private static func signIn(_ bench: Bench) async throws -> TestResponse {
        let login = try await bench.start()
        try await bench.approve(login)
        return try await bench.poll(login, .cookies(login.cookie))
    }
}
