import CodeFlow
import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// On the way to the upstream, and back.
struct UpstreamRedirectTests {
    @Test func `the upstream is asked in our name, and learns nothing of the app`() throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        #expect(redirect.answer.redirectURI == "https://ates.example.com/authorize")
        #expect(
            redirect.answer.parameters.map(\.name) == ["response_type", "client_id", "redirect_uri", "state", "scope"]
        )
        #expect(redirect.answer["response_type"] == "code")
        #expect(redirect.answer["client_id"] == "ates-client")
        #expect(redirect.answer["redirect_uri"] == BrokerFixture.callback)
        #expect(redirect.answer["scope"] == "profile")
        let state = try #require(redirect.answer["state"])
        #expect(state != "app-state")
        let bytes = try #require(Base64URL.decode(state))
        for text in ["app-state", BrokerFixture.redirectURI, "myvoo", redirect.browser.expose()] {
            #expect(!String(decoding: bytes, as: UTF8.self).contains(text))
        }
    }

    @Test func `an upstream that binds codes gets the server's challenge, and the verifier with the code`() async throws
    {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream(takesCodeChallenge: true)
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        #expect(redirect.answer["code_challenge_method"] == "S256")
        let challenge = try #require(redirect.answer["code_challenge"])
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: nil)
        let answer = try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        let shown = PresentedCode(code: Secret(try #require(answer["code"])), redirectURI: nil, verifier: nil)
        _ = try await fixture.service.redeem(shown, client: BrokerFixture.client(), at: upstream)
        guard case .code(_, _, let verifier?)? = fixture.gateway.asked.grants.first else {
            Issue.record("no verifier was sent")
            return
        }
        #expect(Base64URL.encode(Digest256.challenge(of: verifier.expose()).bytes) == challenge)
    }

    @Test func `parameters about the sign-in are passed along`() throws {
        let fixture = try BrokerFixture()
        let request = BrokerFixture.request(prompts: [.login, .consent], loginHint: "a@example.com")
        let redirect = try fixture.service.redirect(request, to: try BrokerFixture.upstream(scopes: []))
        #expect(redirect.answer["prompt"] == "consent login")
        #expect(redirect.answer["login_hint"] == "a@example.com")
        #expect(redirect.answer["scope"] == nil)
    }

    @Test(arguments: AuthorizationRequest.ResponseMode.allCases)
    func `a browser that comes back is redirected to the app with a code of this server`(
        mode: AuthorizationRequest.ResponseMode
    ) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let redirect = try fixture.service.redirect(BrokerFixture.request(mode: mode), to: upstream)
        let back = AuthorizationCallback(
            state: redirect.answer["state"],
            code: "upstream-code",
            error: nil,
            issuer: nil
        )
        let answer = try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        #expect(answer.redirectURI == BrokerFixture.redirectURI)
        #expect(answer.responseMode == mode)
        #expect(answer.parameters.map(\.name) == ["code", "state", "iss"])
        #expect(answer["state"] == "app-state")
        #expect(answer["iss"] == "https://login.example.com")
        #expect(try #require(answer["code"]).hasPrefix("vbc_"))
    }

    @Test func `a request without a state gets none back`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let redirect = try fixture.service.redirect(BrokerFixture.request(state: nil), to: upstream)
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: nil)
        let answer = try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        #expect(answer.parameters.map(\.name) == ["code", "iss"])
    }

    @Test(arguments: [
        ("access_denied", "access_denied"), ("temporarily_unavailable", "temporarily_unavailable"),
        ("login_required", "login_required"), ("invalid_client", "server_error"), ("invalid_scope", "server_error"),
        ("<script>", "server_error"),
    ])
    func `an error of the upstream reaches the app as an error code of the server's own`(
        error: String,
        told: String
    ) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "ignored", error: error, issuer: nil)
        let answer = try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        #expect(answer["error"] == told)
        #expect(answer["code"] == nil)
        #expect(answer["state"] == "app-state")
    }

    // T-195
    @Test func `a return from the upstream is accepted once`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: nil)
        _ = try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        await #expect(throws: CallbackError.unknown) {
            try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        }
    }

    // T-195, O-013
    @Test func `a return in another browser is refused and leaves the right one valid`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: nil)
        for cookie in [nil, Secret("another"), Secret("")] {
            await #expect(throws: CallbackError.otherBrowser) {
                try await fixture.service.redirectBack(back, browser: cookie) { _ in upstream }
            }
        }
        #expect(
            try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }["code"] != nil
        )
    }

    @Test func `two departures of one browser share its cookie`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let first = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        let second = try fixture.service.redirect(BrokerFixture.request(), to: upstream, earlier: first.browser)
        #expect(second.browser == first.browser)
        for redirect in [first, second] {
            let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: nil)
            #expect(
                try await fixture.service.redirectBack(back, browser: first.browser) { _ in upstream }["code"] != nil
            )
        }
    }

    // T-195
    @Test func `a departure is over after ten minutes`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: nil)
        fixture.time.advance(by: .seconds(600))
        await #expect(throws: CallbackError.unknown) {
            try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        }
    }

    // T-153, T-195, O-013
    @Test func `a changed or foreign state is refused`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        let state = try #require(redirect.answer["state"])
        let code = try await fixture.code(at: upstream).expose()
        var changed = try #require(Base64URL.decode(state))
        changed[changed.count / 2] ^= 1
        let elsewhere = BrokerTickets(key: .zero, environment: fixture.environment, marks: fixture.marks)
        let foreign = try elsewhere.seal(["upstream": "ates"], for: .redirect)
        let states = [
            nil, "", "state", Base64URL.encode(changed), String(state.dropLast()), state + "A", foreign,
            String(code.dropFirst(4)), String(repeating: "A", count: 20_000),
        ]
        for state in states {
            let back = AuthorizationCallback(state: state, code: "c", error: nil, issuer: nil)
            await #expect(throws: CallbackError.unknown) {
                try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
            }
        }
    }

    @Test func `an upstream that the config has no more is gone`() async throws {
        let fixture = try BrokerFixture()
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: try BrokerFixture.upstream())
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: nil)
        await #expect(throws: CallbackError.unknown) {
            try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in nil }
        }
    }

    // T-153, O-012, O-013
    @Test(arguments: [nil, "https://evil.example.com", "https://ates.example.com/"])
    func `an answer of another authorization server is refused`(issuer: String?) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream(issuer: "https://ates.example.com")
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: issuer)
        await #expect(throws: CallbackError.otherIssuer) {
            try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        }
    }

    @Test(arguments: [nil, "", String(repeating: "c", count: 4097)])
    func `a return without a code that could be one is refused`(code: String?) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        let back = AuthorizationCallback(state: redirect.answer["state"], code: code, error: nil, issuer: nil)
        await #expect(throws: CallbackError.malformed) {
            try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        }
    }
}
