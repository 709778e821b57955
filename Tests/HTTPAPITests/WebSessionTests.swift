import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Settings
import SoftwareAuthenticator
import Testing
import TokenForgeries
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What stands for a browser's session beside its cookie, and what ends with it.
struct WebSessionTests {
    private static let path = "/api/auth/web-session"

    private static func listed(_ harness: Harness, _ headers: HTTPFields) async throws -> [OwnedSessionView] {
        let answer = try await harness.send(.get, "/auth/sessions", headers)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(OwnedSessionsResponse.self).sessions
    }

    private static func address(_ harness: Harness, _ cookie: String?) async throws -> String? {
        let answer = try await harness.send(.get, "/api/auth/me", .cookies(cookie))
        guard answer.status == .ok else { return nil }
        return try answer.decode(SignedInUserResponse.self).user.email
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a session by face is the browser's on all pages, and the tokens' and the cookie's are one`(
        _ storage: HarnessStorage
    )
        async throws
    {
        try await Harness.run(storage: storage) { harness in
            let person = try await harness.signIn()
            let answer = try await harness.send(.post, Self.path, person.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
            let cookie = try #require(answer.setCookie("yapt.sid="))
            #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax"))
            let first = try #require(answer.sessionCookies)
            #expect(try await Self.address(harness, first) == "ada@example.com")
            let (byCookie, byToken) = (
                try await Self.listed(harness, .cookies(first)), try await Self.listed(harness, person.bearer)
            )
            #expect(byCookie == byToken && byCookie.count == 1)
            let again = try await harness.send(.post, Self.path, person.bearer)
            #expect(try await Self.address(harness, first) == nil, "a session has one cookie")
            let second = try #require(again.sessionCookies)
            #expect(try await Self.address(harness, second) == "ada@example.com")
            #expect(try await harness.send(.post, "/api/auth/logout", .cookies(second)).status == .ok)
            try harness.expect(try await harness.send(.get, "/auth/me", person.bearer), is: "unauthorized", 401)
        }
    }

    @Test func `an account that an operator added by its address gets its first passkey by a mailed code`() async throws
    {
        try await Harness.run {
            for name in ["bbms", "mobile", "yapt", "passkeys"] { $0.surfaces[name]?.registration = false }
        } _: { harness in
            _ = try await harness.composition.accounts.add(NewAccount(email: "carol@example.com", name: "Carol"))
            let refused = try await harness.registrationOptions("carol")
            try harness.expect(refused, is: "registration_closed", 403)
            let login = "/api/auth/login/code"
            let order = #"{"email":"carol@example.com","deviceId":"\#(Harness.tablet)"}"#
            let challenge = try await harness.post(login, order).decode(MailLoginResponse.self).challenge
            let code = try #require(try await harness.mails().first { $0.to == "carol@example.com" }).code
            let typed = #"{"challenge":"\#(challenge)","deviceId":"\#(Harness.tablet)","code":"\#(code)"}"#
            let entered = try await harness.post(login + "/verify", typed)
            let token = try entered.decode(SignInResponse.self).accessToken
            #expect(entered.setCookie("vst_refresh=") != nil)
            let held = try await harness.send(.post, Self.path, .bearing(token))
            #expect(try #require(held.setCookie("vst_refresh=")).contains("Max-Age=0"), "pages never refresh")
            let cookies = HTTPFields.cookies(held.sessionCookies)
            let options = try await harness.post("/api/generate-registration-options", "{}", cookies)
            #expect(options.status == .ok, "\(options.text)")
            let (credential, response) = try harness.browser.create(options.text)
            let body = try Harness.answer(response, to: options)
            #expect(try await harness.post("/api/verify-registration", body, cookies).status == .ok)
            let signedIn = try await harness.signIn(credential, "carol@example.com")
            #expect(try await Self.address(harness, signedIn.sessionCookies) == "carol@example.com")
        }
    }

    @Test func `a web logout also ends the session of a refresh cookie of another account`() async throws {
        try await Harness.run { harness in
            let (ada, bob) = (try await harness.signUp("ada"), try await harness.signIn("bob@example.com"))
            let cookies = HTTPFields.cookies(ada.cookie, "vst_refresh=\(bob.tokens.refreshToken)")
            let out = try await harness.send(.post, "/api/auth/logout", cookies)
            #expect(out.status == .ok, "\(out.text)")
            #expect(try await harness.who(ada.cookie) == nil)
            try harness.expect(try await harness.send(.get, "/auth/me", bob.bearer), is: "unauthorized", 401)
        }
    }

    @Test func `a new web session ends the session of the cookie that the browser sent`() async throws {
        try await Harness.run { harness in
            let (bob, person) = (try await harness.signUp("bobby"), try await harness.signIn())
            let headers = bob.headers.adding(.authorization, "Bearer \(person.tokens.accessToken)")
            let answer = try await harness.send(.post, Self.path, headers)
            #expect(try await Self.address(harness, answer.sessionCookies) == "ada@example.com")
            #expect(try await harness.who(bob.cookie) == nil)
        }
    }

    // T-103
    @Test func `attack: the web session cookie is refused to other sites, old sign-ins, ended sessions and cookies`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            try harness.expect(try await harness.send(.post, Self.path), is: "unauthorized", 401)
            try harness.expect(try await harness.send(.post, Self.path, ada.headers), is: "unauthorized", 401)
            let person = try await harness.signIn()
            for cross in [
                [.origin: "https://evil.example.net"], HTTPFields().adding(.fetchSite, "cross-site"),
                HTTPFields().adding(.fetchSite, "same-site"), [.origin: "null"],
            ] as [HTTPFields] {
                let refused = try await harness.send(
                    .post,
                    Self.path,
                    cross.adding(.authorization, "Bearer \(person.tokens.accessToken)")
                )
                try harness.expect(refused, is: "origin_not_allowed", 403)
                #expect(refused.sessionCookies == nil)
            }
            let other = try await harness.signIn()
            #expect(try await harness.send(.post, "/auth/logout", other.bearer).status == .ok)
            try harness.expect(try await harness.send(.post, Self.path, other.bearer), is: "unauthorized", 401)
            harness.time.advance(by: .seconds(601))
            let late = try await harness.send(.post, Self.path, person.bearer)
            try harness.expect(late, is: "step_up_required", 403)
            #expect(late.sessionCookies == nil)
        }
    }

    // T-103
    @Test func `attack: a DPoP-bound session gets no web session cookie`()
        async throws
    {
        try await Harness.run { harness in
            let (ada, maker) = (try await harness.signUp("ada"), DPoPMaker())
            let proof = harness.proving(.post, "/api/verify-authentication", maker)
            let answer = try await harness.signIn(ada.credential, nil, proof)
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(answer.setCookie("yapt.sid") == nil)
            let body = try answer.decode(PasskeySignInResponse.self)
            #expect(body.tokenType == "DPoP" && body.tokens?.tokenType == "DPoP", "there is nothing else to hold it by")
            let token = try #require(body.accessToken)
            #expect(try await harness.ask("/auth/me", token, maker).status == .ok)
            let asked = try await harness.send(.post, Self.path, harness.proving(.post, Self.path, maker, token: token))
            try harness.expect(asked, is: "invalid_request", 400)
            #expect(asked.sessionCookies == nil)
        }
    }

    @Test func `a sign-in over a live cookie ends its session, but one that has tokens goes on`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            harness.time.advance(by: .seconds(1))
            let second = try await harness.signIn(ada.credential, nil, ada.headers, query: "?tokens=true")
            let tokens = try #require(try second.decode(PasskeySignInResponse.self).tokens)
            var sessions = try await Self.listed(harness, .bearing(tokens.accessToken))
            #expect(sessions.map(\.open) == [true, false], "the one of the sign-up is over")
            #expect(sessions[1].reason == "signed_out")
            harness.time.advance(by: .seconds(1))
            let third = try await harness.signIn(ada.credential, nil, .cookies(second.sessionCookies))
            #expect(try await harness.who(second.sessionCookies) == nil)
            sessions = try await Self.listed(harness, .cookies(third.sessionCookies))
            #expect(sessions.map(\.open) == [true, true, false])
            let refreshed = try await harness.post("/auth/refresh", "", .bearing(tokens.refreshToken))
            #expect(refreshed.status == .ok, "\(refreshed.text)")
        }
    }

    @Test func `with tokens=true an account that is opened by challengeId has its tokens at once`() async throws {
        try await Harness.run { harness in
            for (query, hasTokens) in [("?tokens=true", true), ("", false)] {
                let options = try await harness.registrationOptions(hasTokens ? "ada" : "bob")
                let body = try Harness.answer(try harness.browser.create(options.text).1, to: options)
                let answer = try await harness.post("/api/verify-registration" + query, body)
                let made = try answer.decode(PasskeyRegisteredResponse.self)
                #expect((made.tokens != nil) == hasTokens && made.tokens?.accessToken == made.accessToken)
                guard let token = made.accessToken else { continue }
                let sessions = try await Self.listed(harness, .bearing(token))
                #expect(sessions.map(\.open) == [true])
                #expect(try await harness.who(answer.sessionCookies) == "ada")
            }
        }
    }
}
