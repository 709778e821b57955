import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// On the way to the upstream, and back.
struct DepartureTests {
    @Test func `the upstream is asked in our name, and learns nothing of the app`() throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let departure = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        #expect(departure.answer.redirectURI == "https://ates.example.com/authorize")
        #expect(
            departure.answer.parameters.map(\.name) == ["response_type", "client_id", "redirect_uri", "state", "scope"]
        )
        #expect(departure.answer["response_type"] == "code")
        #expect(departure.answer["client_id"] == "ates-client")
        #expect(departure.answer["redirect_uri"] == BrokerFixture.callback)
        #expect(departure.answer["scope"] == "profile")
        let state = try #require(departure.answer["state"])
        #expect(state != "app-state")
        let bytes = try #require(Base64URL.decode(state))
        for text in ["app-state", BrokerFixture.redirectURI, "myvoo", departure.browser.expose()] {
            #expect(!String(decoding: bytes, as: UTF8.self).contains(text))
        }
    }

    @Test func `an upstream that binds codes gets a challenge of ours, and the verifier with the code`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream(takesCodeChallenge: true)
        let departure = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        #expect(departure.answer["code_challenge_method"] == "S256")
        let challenge = try #require(departure.answer["code_challenge"])
        let back = UpstreamReturn(state: departure.answer["state"], code: "c", error: nil, issuer: nil)
        let answer = try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
        let shown = ShownCode(code: Secret(try #require(answer["code"])), redirectURI: nil, verifier: nil)
        _ = try await fixture.service.redeem(shown, client: BrokerFixture.client(), at: upstream)
        guard case .code(_, _, let verifier?)? = fixture.gateway.asked.grants.first else {
            Issue.record("no verifier was sent")
            return
        }
        #expect(Base64URL.encode(Digest256.challenge(of: verifier.expose()).bytes) == challenge)
    }

    @Test func `what is said about the sign-in goes along`() throws {
        let fixture = try BrokerFixture()
        let request = BrokerFixture.request(prompts: [.login, .consent], loginHint: "a@example.com")
        let departure = try fixture.service.depart(request, to: try BrokerFixture.upstream(scopes: []))
        #expect(departure.answer["prompt"] == "consent login")
        #expect(departure.answer["login_hint"] == "a@example.com")
        #expect(departure.answer["scope"] == nil)
    }

    @Test(arguments: AuthorizationRequest.ResponseMode.allCases)
    func `who comes back goes on to the app with a code of ours`(mode: AuthorizationRequest.ResponseMode) throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let departure = try fixture.service.depart(BrokerFixture.request(mode: mode), to: upstream)
        let back = UpstreamReturn(state: departure.answer["state"], code: "upstream-code", error: nil, issuer: nil)
        let answer = try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
        #expect(answer.redirectURI == BrokerFixture.redirectURI)
        #expect(answer.responseMode == mode)
        #expect(answer.parameters.map(\.name) == ["code", "state", "iss"])
        #expect(answer["state"] == "app-state")
        #expect(answer["iss"] == "https://login.example.com")
        #expect(try #require(answer["code"]).hasPrefix("vbc_"))
    }

    @Test func `a request without a state gets none back`() throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let departure = try fixture.service.depart(BrokerFixture.request(state: nil), to: upstream)
        let back = UpstreamReturn(state: departure.answer["state"], code: "c", error: nil, issuer: nil)
        let answer = try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
        #expect(answer.parameters.map(\.name) == ["code", "iss"])
    }

    @Test(arguments: [
        ("access_denied", "access_denied"), ("temporarily_unavailable", "temporarily_unavailable"),
        ("login_required", "login_required"), ("invalid_client", "server_error"), ("invalid_scope", "server_error"),
        ("<script>", "server_error"),
    ])
    func `an error of the upstream reaches the app in words of ours`(error: String, told: String) throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let departure = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        let back = UpstreamReturn(state: departure.answer["state"], code: "ignored", error: error, issuer: nil)
        let answer = try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
        #expect(answer["error"] == told)
        #expect(answer["code"] == nil)
        #expect(answer["state"] == "app-state")
    }

    @Test func `a return counts once`() throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let departure = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        let back = UpstreamReturn(state: departure.answer["state"], code: "c", error: nil, issuer: nil)
        _ = try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
        #expect(throws: ArrivalRefusal.over) {
            try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
        }
    }

    @Test func `another browser gets nothing, and spoils nothing`() throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let departure = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        let back = UpstreamReturn(state: departure.answer["state"], code: "c", error: nil, issuer: nil)
        for cookie in [nil, Secret("another"), Secret("")] {
            #expect(throws: ArrivalRefusal.otherBrowser) {
                try fixture.service.arrive(back, browser: cookie) { _ in upstream }
            }
        }
        #expect(try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }["code"] != nil)
    }

    @Test func `two departures of one browser share its cookie`() throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let first = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        let second = try fixture.service.depart(BrokerFixture.request(), to: upstream, earlier: first.browser)
        #expect(second.browser == first.browser)
        for departure in [first, second] {
            let back = UpstreamReturn(state: departure.answer["state"], code: "c", error: nil, issuer: nil)
            #expect(try fixture.service.arrive(back, browser: first.browser) { _ in upstream }["code"] != nil)
        }
    }

    @Test func `a departure is over after ten minutes`() throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let departure = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        let back = UpstreamReturn(state: departure.answer["state"], code: "c", error: nil, issuer: nil)
        fixture.time.advance(by: .seconds(600))
        #expect(throws: ArrivalRefusal.over) {
            try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
        }
    }

    @Test func `a state that is none of ours leads nowhere`() throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let departure = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        let state = try #require(departure.answer["state"])
        let code = try fixture.code(at: upstream).expose()
        var changed = try #require(Base64URL.decode(state))
        changed[changed.count / 2] ^= 1
        let elsewhere = BrokerTickets(key: .zero, facts: fixture.facts)
        let foreign = try elsewhere.seal(["upstream": "ates"], for: .departure)
        let states = [
            nil, "", "state", Base64URL.encode(changed), String(state.dropLast()), state + "A", foreign,
            String(code.dropFirst(4)), String(repeating: "A", count: 20_000),
        ]
        for state in states {
            let back = UpstreamReturn(state: state, code: "c", error: nil, issuer: nil)
            #expect(throws: ArrivalRefusal.over) {
                try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
            }
        }
    }

    @Test func `an upstream that the config has no more is gone`() throws {
        let fixture = try BrokerFixture()
        let departure = try fixture.service.depart(BrokerFixture.request(), to: try BrokerFixture.upstream())
        let back = UpstreamReturn(state: departure.answer["state"], code: "c", error: nil, issuer: nil)
        #expect(throws: ArrivalRefusal.over) {
            try fixture.service.arrive(back, browser: departure.browser) { _ in nil }
        }
    }

    @Test(arguments: [nil, "https://evil.example.com", "https://ates.example.com/"])
    func `an answer of another authorization server is refused`(issuer: String?) throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream(issuer: "https://ates.example.com")
        let departure = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        let back = UpstreamReturn(state: departure.answer["state"], code: "c", error: nil, issuer: issuer)
        #expect(throws: ArrivalRefusal.otherIssuer) {
            try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
        }
    }

    @Test(arguments: [nil, "", String(repeating: "c", count: 4097)])
    func `a return without a code that could be one is refused`(code: String?) throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let departure = try fixture.service.depart(BrokerFixture.request(), to: upstream)
        let back = UpstreamReturn(state: departure.answer["state"], code: code, error: nil, issuer: nil)
        #expect(throws: ArrivalRefusal.malformed) {
            try fixture.service.arrive(back, browser: departure.browser) { _ in upstream }
        }
    }
}
