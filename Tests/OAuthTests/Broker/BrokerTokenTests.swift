import CodeFlow
import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// Codes and refresh tokens on their way to the upstream.
@Suite(.timeLimit(.minutes(10)))
struct BrokerTokenTests {
    private static let verifier = String(repeating: "v", count: 43)

    private static func shown(_ code: Secret, redirectURI: String? = nil, verifier: String? = nil) -> PresentedCode {
        PresentedCode(code: code, redirectURI: redirectURI, verifier: verifier.map { Secret($0) })
    }

    // T-193
    @Test func `a code of the server is redeemed with the upstream's code and the server's own address`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let code = try await fixture.code(at: upstream)
        let tokens = try await fixture.service.redeem(Self.shown(code), client: BrokerFixture.client(), at: upstream)
        #expect(tokens.accessToken == Secret("at-1"))
        #expect(tokens.refreshToken == Secret("rt-1"))
        #expect(GrantedTokens.type == "Bearer")
        #expect(tokens.expiresIn == 600)
        #expect(tokens.scope == "profile")
        let asked = fixture.gateway.asked.grants
        #expect(asked == [.code(Secret("upstream-code"), redirectURI: BrokerFixture.callback, verifier: nil)])
    }

    // T-194
    @Test func `a code counts once, and its second use never reaches the upstream`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let shown = Self.shown(try await fixture.code(at: upstream))
        _ = try await fixture.service.redeem(shown, client: BrokerFixture.client(), at: upstream)
        await #expect(throws: OAuthError.badCode) {
            try await fixture.service.redeem(shown, client: BrokerFixture.client(), at: upstream)
        }
        #expect(fixture.gateway.asked.grants.count == 1)
    }

    // T-194, O-044
    @Test func `of eight that redeem each of a hundred codes one gets tokens`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        var made: [Secret] = []
        for number in 0..<100 { made.append(try await fixture.code("code-\(number)", at: upstream)) }
        let codes = made
        let granted = await withTaskGroup(of: Bool.self) { group in
            for code in codes {
                for _ in 0..<8 {
                    group.addTask { [service = fixture.service] in
                        let tokens = try? await service.redeem(
                            Self.shown(code),
                            client: BrokerFixture.client(),
                            at: upstream
                        )
                        return tokens != nil
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(granted == 100)
        #expect(fixture.gateway.asked.grants.count == 100)
    }

    // T-194
    @Test func `a challenge of the app binds though the upstream knows none`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let request = BrokerFixture.request(challenge: .challenge(of: Self.verifier))
        let code = try await fixture.code("c", request, at: upstream)
        for wrong in [
            nil, String(repeating: "w", count: 43), "", Self.verifier + "v", String(repeating: "v", count: 129),
        ] {
            let error = await #expect(throws: OAuthError.self) {
                try await fixture.service.redeem(
                    Self.shown(code, verifier: wrong),
                    client: BrokerFixture.client(),
                    at: upstream
                )
            }
            #expect(error?.code == .invalidGrant)
        }
        #expect(fixture.gateway.asked.grants.isEmpty)
        let right = Self.shown(code, verifier: Self.verifier)
        _ = try await fixture.service.redeem(right, client: BrokerFixture.client(), at: upstream)
        #expect(
            fixture.gateway.asked.grants == [.code(Secret("c"), redirectURI: BrokerFixture.callback, verifier: nil)]
        )
    }

    // T-194, O-043
    @Test func `a verifier for a sign-in without a challenge is refused`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let code = try await fixture.code(at: upstream)
        await #expect(throws: OAuthError.noChallenge) {
            try await fixture.service.redeem(
                Self.shown(code, verifier: Self.verifier),
                client: BrokerFixture.client(),
                at: upstream
            )
        }
    }

    // T-194
    @Test func `a broker code is refused for another client, upstream or redirect URI`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let code = try await fixture.code(at: upstream)
        let other = try BrokerFixture.upstream("other")
        let client = BrokerFixture.client()
        let elsewhere = Self.shown(code, redirectURI: BrokerFixture.redirectURI + "/")
        await #expect(throws: OAuthError.badCode) {
            try await fixture.service.redeem(Self.shown(code), client: BrokerFixture.client("another"), at: upstream)
        }
        await #expect(throws: OAuthError.badCode) {
            try await fixture.service.redeem(Self.shown(code), client: client, at: other)
        }
        let error = await #expect(throws: OAuthError.self) {
            try await fixture.service.redeem(elsewhere, client: client, at: upstream)
        }
        #expect(error?.code == .invalidGrant)
        #expect(fixture.gateway.asked.grants.isEmpty)
        let right = Self.shown(code, redirectURI: BrokerFixture.redirectURI)
        _ = try await fixture.service.redeem(right, client: client, at: upstream)
    }

    // T-194
    @Test func `a code is good for a minute`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let (early, late) = (try await fixture.code("a", at: upstream), try await fixture.code("b", at: upstream))
        fixture.time.advance(by: .milliseconds(59_999))
        _ = try await fixture.service.redeem(Self.shown(early), client: BrokerFixture.client(), at: upstream)
        fixture.time.advance(by: .milliseconds(1))
        await #expect(throws: OAuthError.badCode) {
            try await fixture.service.redeem(Self.shown(late), client: BrokerFixture.client(), at: upstream)
        }
    }

    // T-194
    @Test func `a state is refused as a code`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let state = try #require(try fixture.service.redirect(BrokerFixture.request(), to: upstream).answer["state"])
        await #expect(throws: OAuthError.badCode) {
            try await fixture.service.redeem(
                Self.shown(Secret("vbc_" + state)),
                client: BrokerFixture.client(),
                at: upstream
            )
        }
    }

    // T-194, T-242
    @Test func `attack: a code and a state that an earlier process used are refused`() async throws {
        let disk = MemoryDisk()
        let before = try BrokerFixture(disk: disk)
        let upstream = try BrokerFixture.upstream()
        let redirect = try before.service.redirect(BrokerFixture.request(), to: upstream)
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: nil)
        let answer = try await before.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        let (used, unused) = (Secret(try #require(answer["code"])), try await before.code(at: upstream))
        _ = try await before.service.redeem(Self.shown(used), client: BrokerFixture.client(), at: upstream)
        let after = try BrokerFixture(disk: disk)
        await #expect(throws: CallbackError.unknown) {
            try await after.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        }
        await #expect(throws: OAuthError.badCode) {
            try await after.service.redeem(Self.shown(used), client: BrokerFixture.client(), at: upstream)
        }
        #expect(after.gateway.asked.grants.isEmpty, "the upstream is not asked")
        _ = try await after.service.redeem(Self.shown(unused), client: BrokerFixture.client(), at: upstream)
    }

    // T-194
    @Test func `attack: a code is not redeemed while its use can't be stored`() async throws {
        let disk = MemoryDisk()
        let fixture = try BrokerFixture(disk: disk)
        let upstream = try BrokerFixture.upstream()
        let code = try await fixture.code(at: upstream)
        disk.crash()
        await #expect(throws: StoreError.self) {
            try await fixture.service.redeem(Self.shown(code), client: BrokerFixture.client(), at: upstream)
        }
        #expect(fixture.gateway.asked.grants.isEmpty)
    }

    // T-194
    @Test func `when the memory of used codes is full nothing is redeemed`() async throws {
        let fixture = try BrokerFixture(ticketLimit: 2)
        let upstream = try BrokerFixture.upstream()
        // Its return takes one of the two places, its redemption the other.
        let code = try await fixture.code(at: upstream)
        _ = try await fixture.service.redeem(Self.shown(code), client: BrokerFixture.client(), at: upstream)
        let redirect = try fixture.service.redirect(BrokerFixture.request(), to: upstream)
        let back = AuthorizationCallback(state: redirect.answer["state"], code: "c", error: nil, issuer: nil)
        await #expect(throws: CallbackError.unknown) {
            try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }
        }
        await #expect(throws: OAuthError.badCode) {
            try await fixture.service.redeem(Self.shown(code), client: BrokerFixture.client(), at: upstream)
        }
        fixture.time.advance(by: .seconds(60))
        #expect(
            try await fixture.service.redirectBack(back, browser: redirect.browser) { _ in upstream }["code"] != nil
        )
    }

    @Test func `a code that the upstream gave the app itself is passed on unchanged`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let client = BrokerFixture.client(codeChallenge: .optional)
        _ = try await fixture.service.redeem(Self.shown(Secret("raw")), client: client, at: upstream)
        let named = Self.shown(Secret("raw-2"), redirectURI: BrokerFixture.redirectURI)
        _ = try await fixture.service.redeem(named, client: client, at: upstream)
        #expect(
            fixture.gateway.asked.grants == [
                .code(Secret("raw"), redirectURI: nil, verifier: nil),
                .code(Secret("raw-2"), redirectURI: BrokerFixture.redirectURI, verifier: nil),
            ]
        )
    }

    @Test func `of a client that needs a challenge only the server's own codes are accepted`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        await #expect(throws: OAuthError.badCode) {
            try await fixture.service.redeem(
                Self.shown(Secret("raw")),
                client: BrokerFixture.client(codeChallenge: .required),
                at: upstream
            )
        }
        #expect(fixture.gateway.asked.grants.isEmpty)
    }

    @Test func `a verifier is passed on only to an upstream that checks it`() async throws {
        let fixture = try BrokerFixture()
        let shown = Self.shown(Secret("raw"), verifier: Self.verifier)
        let plain = try BrokerFixture.upstream()
        await #expect(throws: OAuthError.noChallenge) {
            try await fixture.service.redeem(shown, client: BrokerFixture.client(), at: plain)
        }
        let binding = try BrokerFixture.upstream(takesCodeChallenge: true)
        _ = try await fixture.service.redeem(shown, client: BrokerFixture.client(), at: binding)
        #expect(
            fixture.gateway.asked.grants == [.code(Secret("raw"), redirectURI: nil, verifier: Secret(Self.verifier))]
        )
    }

    @Test func `a refresh token is sent once, whatever the outcome`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        fixture.gateway.answerTokens(
            ScriptedGateway.ok(ScriptedGateway.tokens),
            ScriptedGateway.ok(#"{"error":"invalid_grant"}"#, 400),
            .failure(.unavailable(cause: "down"))
        )
        _ = try await fixture.service.refresh(Secret("rt"), scope: nil, at: upstream)
        await #expect(throws: OAuthError.badRefreshToken) {
            try await fixture.service.refresh(Secret("rt"), scope: nil, at: upstream)
        }
        await #expect(throws: OAuthError.upstreamDown) {
            try await fixture.service.refresh(Secret("rt"), scope: "profile", at: upstream)
        }
        #expect(
            fixture.gateway.asked.grants == [
                .refreshToken(Secret("rt"), scope: nil), .refreshToken(Secret("rt"), scope: nil),
                .refreshToken(Secret("rt"), scope: "profile"),
            ]
        )
    }

    @Test(arguments: ["admin", "profile admin", "pro\"file"])
    func `a refresh is for no scope beyond those of the config`(scope: String) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        let error = await #expect(throws: OAuthError.self) {
            try await fixture.service.refresh(Secret("rt"), scope: scope, at: upstream)
        }
        #expect(error?.code == .invalidScope)
        #expect(fixture.gateway.asked.grants.isEmpty)
    }

    @Test(arguments: [
        (
            400, #"{"error":"invalid_grant","error_description":"<b>secret ates-secret</b>"}"#,
            OAuthErrorCode.invalidGrant
        ),
        (400, #"{"error":"invalid_scope"}"#, .invalidScope), (401, #"{"error":"invalid_client"}"#, .serverError),
        (400, #"{"error":"unauthorized_client"}"#, .serverError), (400, #"{"error":"invalid_request"}"#, .serverError),
        (400, "no JSON", .serverError), (403, "{}", .serverError), (404, "", .serverError),
        (429, "", .temporarilyUnavailable), (500, "", .temporarilyUnavailable), (503, "", .temporarilyUnavailable),
        (400, #"{"error":"temporarily_unavailable"}"#, .temporarilyUnavailable), (204, "", .serverError),
        (201, ScriptedGateway.tokens, .serverError), (200, "", .serverError), (200, "<html>", .serverError),
        (200, "[]", .serverError), (200, #"{"access_token":""}"#, .serverError),
        (200, #"{"access_token":7}"#, .serverError),
        (200, #"{"access_token":"a\nb"}"#, .serverError),
        (200, #"{"access_token":"a","token_type":"mac"}"#, .serverError),
        (200, #"{"access_token":"a","access_token":"b"}"#, .serverError),
        (200, #"{"access_token":"a","refresh_token":7}"#, .serverError),
    ])
    func `each error answer of the upstream's token endpoint has its OAuth error code`(
        status: Int,
        body: String,
        code: OAuthErrorCode
    ) async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        fixture.gateway.answerTokens(ScriptedGateway.ok(body, status))
        let error = await #expect(throws: OAuthError.self) {
            try await fixture.service.refresh(Secret("rt"), scope: nil, at: upstream)
        }
        #expect(error?.code == code)
        // The server behind this one has spoken of this one's own faults where it names one of the protocol's errors.
        #expect(error?.isUpstreams == (code == .serverError && !body.hasPrefix("{\"error\"")))
        #expect(error?.description.contains("ates-secret") == false)
    }

    @Test func `an upstream out of reach is unavailable, and one that can't be read broken`() async throws {
        let fixture = try BrokerFixture()
        let upstream = try BrokerFixture.upstream()
        fixture.gateway.answerTokens(.failure(.unavailable(cause: "x")), .failure(.unusable(cause: "x")))
        await #expect(throws: OAuthError.upstreamDown) {
            try await fixture.service.refresh(Secret("rt"), scope: nil, at: upstream)
        }
        await #expect(throws: OAuthError.upstreamBroken) {
            try await fixture.service.refresh(Secret("rt"), scope: nil, at: upstream)
        }
    }

    @Test(
        arguments: [
            (#""3600""#, 3600), ("3600", 3600), ("0", nil), ("-1", nil), ("1e99", nil), ("36.5", nil), ("null", nil),
            ("99999999999", nil), ("true", nil),
        ] as [(String, Int?)]
    )
    func `a lifetime is a number of seconds or nothing`(text: String, seconds: Int?) async throws {
        let fixture = try BrokerFixture()
        fixture.gateway.answerTokens(ScriptedGateway.ok(#"{"access_token":"a","expires_in":\#(text)}"#))
        let upstream = try BrokerFixture.upstream()
        let tokens = try await fixture.service.refresh(Secret("rt"), scope: nil, at: upstream)
        #expect(tokens.expiresIn == seconds)
    }
}
