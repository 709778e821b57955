import Accounts
import Foundation
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
@testable import HTTPAPI

/// Refreshing, over HTTP.
struct RefreshTests {
    private static let path = "/auth/refresh"
    private static let json: HTTPFields = [.contentType: "application/json"]

    @Test func `the published app refreshes: bearer, no body, and its token goes on`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            for _ in 0..<2 {
                harness.time.advance(by: .seconds(3600))
                let response = try await harness.send(
                    .post,
                    "/api" + Self.path,
                    Self.json.bearing(ada.tokens.refreshToken)
                )
                let answer = try response.decode(RefreshResponse.self)
                #expect(!answer.message.isEmpty && answer.refreshToken == nil && answer.expiresIn == 3600)
                #expect(response.headers[.cacheControl] == "no-store")
                let me = try await harness.send(.get, "/auth/me", .bearing(answer.accessToken))
                #expect(try me.decode(SignedInUserResponse.self).user.email == "ada@example.com")
            }
            harness.time.advance(by: .seconds(11 * 3600))
            let late = try await harness.send(.post, Self.path, .bearing(ada.tokens.refreshToken))
            try harness.expect(late, is: "unauthorized", 401)
            #expect(late.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `the same parent gives the same child: jti, times and all, for thirty seconds`(
        _ storage: HarnessStorage
    ) async throws {
        try await Self.rotating(storage: storage) { harness in
            let ada = try await harness.signIn()
            let first = try await harness.refresh(ada.tokens.refreshToken)
            harness.time.advance(by: .seconds(29))
            let second = try await harness.refresh(ada.tokens.refreshToken)
            #expect(first.refreshToken != nil && first.refreshToken != ada.tokens.refreshToken)
            #expect(first.refreshToken == second.refreshToken)
            #expect(try Self.claims(first.accessToken) == Self.claims(second.accessToken))
            #expect(second.expiresIn == first.expiresIn - 29)
            let next = try await harness.refresh(try #require(second.refreshToken))
            #expect(next.refreshToken != second.refreshToken)
            #expect(try Self.claims(next.accessToken)["jti"] != Self.claims(first.accessToken)["jti"])
        }
    }

    @Test func `a refresh keeps sub, sid, aud, client_id, auth_time and acr`() async throws {
        try await Self.rotating { harness in
            let ada = try await harness.signIn()
            harness.time.advance(by: .seconds(1000))
            let (old, new) = try await (
                Self.claims(ada.tokens.accessToken),
                Self.claims(harness.refresh(ada.tokens.refreshToken).accessToken)
            )
            for name in ["sub", "sid", "aud", "client_id", "auth_time", "acr"] {
                #expect(old[name] == new[name], "\(name)")
            }
            #expect(old["iat"] != new["iat"])
        }
    }

    // T-091
    @Test(.alsoSpread)
    func `attack: a replaced refresh token used after thirty seconds ends the session for both holders`()
        async throws
    {
        try await Self.rotating { harness in
            let (ada, other) = (try await harness.signIn(), try await harness.signIn())
            let owners = try await harness.refresh(ada.tokens.refreshToken)
            harness.time.advance(by: .seconds(31))
            let attacker = try await harness.send(.post, Self.path, .bearing(ada.tokens.refreshToken))
            try harness.expect(attacker, is: "unauthorized", 401)
            for token in [owners.refreshToken ?? "", ada.tokens.refreshToken] {
                let response = try await harness.send(.post, Self.path, .bearing(token))
                try harness.expect(response, is: "unauthorized", 401)
            }
            for token in [owners.accessToken, ada.tokens.accessToken] {
                let response = try await harness.send(.get, "/auth/me", .bearing(token))
                try harness.expect(response, is: "unauthorized", 401)
            }
            let seen = try await harness.sessions(other)
            #expect(seen.map(\.reason) == [nil, "refresh_reuse"] && seen.map(\.open) == [true, false])
            #expect(seen.map(\.current) == [true, false])
        }
    }

    @Test func `attack: access tokens and changed refresh tokens do not refresh, and a refresh token opens no route`()
        async throws
    {
        try await Self.rotating { harness in
            let ada = try await harness.signIn()
            let token = ada.tokens.refreshToken
            for other in [ada.tokens.accessToken, "x.y.z", token + "A", String(token.dropLast(2)) + "AA"] {
                try harness.expect(try await harness.send(.post, Self.path, .bearing(other)), is: "unauthorized", 401)
            }
            let none = try await harness.send(.post, Self.path)
            try harness.expect(none, is: "unauthorized", 401)
            #expect(none.headers[.wwwAuthenticate] == "Bearer")
            for path in ["/auth/me", "/auth/sessions", "/auth/operations"] {
                try harness.expect(try await harness.send(.get, path, .bearing(token)), is: "unauthorized", 401)
            }
        }
    }

    @Test func `attack: a disabled account's refresh token gets 401`() async throws {
        try await Self.rotating { harness in
            let ada = try await harness.signIn()
            _ = try await harness.composition.accounts.disable("ada@example.com")
            try harness.expect(
                try await harness.send(.post, Self.path, .bearing(ada.tokens.refreshToken)),
                is: "unauthorized",
                401
            )
        }
    }

    // T-253
    @Test(.ofOneDaemon(.countedByEach))
    func `attack: a dead token at the wallet's refresh route gets 429 after five tries, other tokens do not`()
        async throws
    {
        try await Self.rotating { harness in
            let (ada, bob) = (try await harness.phone(), try await harness.phone("bob@example.com", Harness.otherPhone))
            try await harness.send(.post, "/auth/logout", .bearing(ada.tokens.accessToken))
            func refresh(_ token: String) async throws -> TestResponse {
                try await harness.post("/api/mobile/auth/token/refresh", #"{"refreshToken":"\#(token)"}"#)
            }
            for dead in [ada.tokens.refreshToken, "no.such.token"] {
                for _ in 0..<5 { try harness.expect(try await refresh(dead), is: "unauthorized", 401) }
                for _ in 0..<3 { try harness.expect(try await refresh(dead), is: "rate_limited", 429) }
            }
            #expect(try await refresh(bob.tokens.refreshToken).status == .ok)
        }
    }

    // T-253
    @Test(.ofOneDaemon(.countedByEach))
    func `attack: a dead refresh token gets 401 five times and 429 afterwards, other tokens do not`() async throws {
        try await Self.rotating { harness in
            let (ada, bob) = (try await harness.signIn(), try await harness.signIn("bob@example.com"))
            try await harness.send(.post, "/auth/logout", .bearing(ada.tokens.accessToken))
            for dead in [ada.tokens.refreshToken, "no.such.token"] {
                for _ in 0..<5 {
                    let response = try await harness.send(.post, Self.path, .bearing(dead))
                    try harness.expect(response, is: "unauthorized", 401)
                }
                for _ in 0..<3 {
                    let response = try await harness.send(.post, Self.path, .bearing(dead))
                    try harness.expect(response, is: "rate_limited", 429)
                    #expect((response.headers[.retryAfter].flatMap { Int($0) } ?? 0) > 0)
                }
            }
            #expect(try await harness.refresh(bob.tokens.refreshToken).refreshToken != nil)
        }
    }

    @Test(arguments: [true, false])
    func `a login is handed out again until its refresh token was shown, be it replaced or not`(
        _ isRotating: Bool
    )
        async throws
    {
        try await Harness.run { settings in
            settings.clients[0].refresh.rotation = isRotating ? .always : .cookieOnly
        } _: { harness in
            let ada = try await harness.signIn()
            let again = try await harness.poll(ada.login, ada.login.bound).decode(PollLoginResponse.self)
            #expect(again.tokens?.refreshToken == ada.tokens.refreshToken)
            _ = try await harness.refresh(ada.tokens.refreshToken)
            let late = try await harness.poll(ada.login, ada.login.bound)
            let answer = try late.decode(PollLoginResponse.self)
            #expect(answer.status == .completed && answer.tokens == nil && answer.refreshToken == nil)
            #expect(late.setCookie("vst_refresh") == nil && late.setCookie("vst_device") == nil)
        }
    }

    @Test(.ofOneDaemon("It sets when one daemon began to listen."))
    func `the thirty seconds count from when the server listens, however long its start took`()
        async throws
    {
        try await Self.rotating { harness in
            let ada = try await harness.signIn()
            let child = try await harness.refresh(ada.tokens.refreshToken).refreshToken
            harness.time.advance(by: .seconds(3600))
            harness.composition.listening.begin(at: harness.composition.environment.now())
            harness.time.advance(by: .seconds(29))
            #expect(try await harness.refresh(ada.tokens.refreshToken).refreshToken == child)
            harness.time.advance(by: .seconds(1))
            let late = try await harness.send(.post, Self.path, .bearing(ada.tokens.refreshToken))
            try harness.expect(late, is: "unauthorized", 401)
        }
    }

    // T-253
    @Test func `repeated refreshes of one token are limited apart from its successor's`() async throws {
        try await Self.rotating { harness in
            let ada = try await harness.signIn()
            let next = try #require(try await harness.refresh(ada.tokens.refreshToken).refreshToken)
            var statuses: [Int] = []
            for _ in 0..<40 {
                let response = try await harness.send(.post, Self.path, .bearing(ada.tokens.refreshToken))
                statuses.append(response.status.code)
            }
            #expect(statuses == Array(repeating: 200, count: 30) + Array(repeating: 429, count: 10))
            var token = next
            for _ in 0..<29 { token = try #require(try await harness.refresh(token).refreshToken) }
        }
    }

    // T-253
    @Test func `attack: the 31st refresh in a row gets 429 and writes no row, and the token stays good`() async throws {
        try await Self.rotating { harness in
            let ada = try await harness.signIn()
            var token = ada.tokens.refreshToken
            for _ in 0..<30 { token = try #require(try await harness.refresh(token).refreshToken) }
            let response = try await harness.send(.post, Self.path, .bearing(token))
            try harness.expect(response, is: "rate_limited", 429)
            harness.time.advance(by: .seconds(10))
            #expect(try await harness.refresh(token).refreshToken != nil, "the token is as good as before")
        }
    }

    @Test func `the wallet app sends its token in the body and gets both new ones`() async throws {
        try await Self.rotating { harness in
            let ada = try await harness.phone()
            let path = "/api/mobile/auth/token/refresh"
            let body = #"{"refreshToken":"\#(ada.tokens.refreshToken)"}"#
            let stale: HTTPFields = .bearing("stale")
            let answer = try await harness.post(path, body, stale).decode(RefreshResponse.self)
            #expect(answer.refreshToken != nil && answer.refreshToken != ada.tokens.refreshToken)
            #expect(answer.accessToken.utf8.count <= 2048 && (answer.refreshToken ?? "").utf8.count <= 2048)
            try harness.expect(try await harness.post(path, "{}", stale), is: "invalid_request", 400)
            try harness.expect(try await harness.post(path, #"{"refreshToken":7}"#), is: "invalid_request", 400)
            try harness.expect(try await harness.post(path, #"{"refreshToken":"x"}"#), is: "unauthorized", 401)
        }
    }

    // T-090
    @Test func `attack: another client's refresh token at the wallet's route gets 401 and ends no session`()
        async throws
    {
        try await Self.rotating { harness in
            let ada = try await harness.signIn()
            let newest = try #require(try await harness.refresh(ada.tokens.refreshToken).refreshToken)
            harness.time.advance(by: .seconds(31))
            // The first one was replaced: shown where it belongs, it would end the session now.
            for token in [ada.tokens.refreshToken, newest] {
                let body = #"{"refreshToken":"\#(token)"}"#
                let refreshed = try await harness.post("/api/mobile/auth/token/refresh", body)
                try harness.expect(refreshed, is: "unauthorized", 401)
                for path in ["/api/mobile/auth/logout", "/api/mobile/auth/logout?revokeAll=true"] {
                    let ended = try await harness.send(.post, path, .bearing(token))
                    try harness.expect(ended, is: "unauthorized", 401)
                }
            }
            #expect(try await harness.refresh(newest).refreshToken != nil, "as good as before")
        }
    }

    @Test func `the wallet's refresh token refreshes and signs out at the wallet's routes`() async throws {
        try await Self.rotating { harness in
            let phone = try await harness.phone()
            let refreshed = try await harness.refreshMobile(phone.tokens.refreshToken).decode(RefreshResponse.self)
            let newest = try #require(refreshed.refreshToken)
            let ended = try await harness.send(.post, "/api/mobile/auth/logout", .bearing(newest))
            #expect(ended.status == .ok, "\(ended.text)")
            try harness.expect(try await harness.refreshMobile(newest), is: "unauthorized", 401)
        }
    }

    private static func rotating(
        storage: HarnessStorage = .usual,
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        try await Harness.run(storage: storage) {
            $0.clients[0].refresh.rotation = .always
        } _: {
            try await body($0)
        }
    }

    /// The claims, each as text.
    private static func claims(_ token: String) throws -> [String: String] {
        let parts = token.split(separator: ".")
        let bytes = try #require(Base64URL.decode(String(parts[1])))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        return object.mapValues { "\($0)" }
    }
}

extension Harness {
    /// Refreshes as bearer; the answer has to be 200.
    func refresh(_ token: String, _ headers: HTTPFields = [:]) async throws -> RefreshResponse {
        let response = try await send(.post, "/auth/refresh", headers.bearing(token))
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(RefreshResponse.self)
    }

    /// What the owner sees of their sessions.
    func sessions(_ person: SignedInPersonOfTest) async throws -> [OwnedSessionView] {
        let response = try await send(.get, "/auth/sessions", person.bearer)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(OwnedSessionsResponse.self).sessions
    }
}

extension HTTPFields {
    static func bearing(_ token: String) -> HTTPFields { HTTPFields().bearing(token) }

    func bearing(_ token: String) -> HTTPFields { adding(.authorization, "Bearer \(token)") }
}
