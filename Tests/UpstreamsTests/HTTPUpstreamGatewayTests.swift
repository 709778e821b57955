import CodeFlow
import Kernel
import OAuth
import Outbound
import ScriptedServer
import Testing

@testable import Upstreams

/// The broker's requests to its upstreams, and the answers that it accepts.
struct HTTPUpstreamGatewayTests {
    private static func upstream(
        _ url: String,
        authentication: ClientRegistration.Authentication = .post,
        timeout: Duration = .seconds(60)
    ) throws -> Upstream {
        let lookup = PersonLookup(
            url: url + "/lookup",
            person: .xml(try #require(XMLPath("/PersonalInformation/BPId")))
        )
        return Upstream(
            name: "ates",
            server: AuthorizationServer(
                authorizeURL: url + "/authorize",
                tokenURL: url + "/token",
                client: ClientRegistration(
                    id: "client&1",
                    secret: Secret("s:e c+ret"),
                    authentication: authentication
                )
            ),
            resource: .init(lookup: lookup, dataURL: url + "/people/{person}/data?of=x", dataKey: Secret("data-key")),
            timeout: timeout
        )
    }

    /// Runs `body` with a gateway to a server that answers as the script says.
    private static func run<Value: Sendable>(
        _ script: @escaping ScriptedServer.Script,
        during body: @escaping @Sendable (HTTPUpstreamGateway, ScriptedServer) async throws -> Value
    ) async throws -> Value {
        try await ScriptedServer.run(script) { server in
            try await OutboundHTTP.use(OutboundLimits(connectTimeout: .seconds(60)), clock: LiveClock()) { http in
                try await body(HTTPUpstreamGateway(http), server)
            }
        }
    }

    private static let ok: ScriptedServer.Script = { _ in .json("{}") }

    // T-193
    @Test func `a code is sent with the secret in the form, and with nothing else from the app`() async throws {
        let request = try await Self.run(Self.ok) { gateway, server in
            let upstream = try Self.upstream(server.url)
            let grant = TokenGrant.code(
                Secret("c/1"),
                redirectURI: "https://a.example.com/cb",
                verifier: Secret("v")
            )
            _ = try await gateway.tokens(for: grant, at: upstream)
            return try #require(server.requests.first)
        }
        #expect(request.method == "POST")
        #expect(request.path == "/token")
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.header("Authorization") == nil)
        #expect(
            request.text == "grant_type=authorization_code&code=c%2F1&redirect_uri=https%3A%2F%2Fa.example.com%2Fcb"
                + "&code_verifier=v&client_id=client%261&client_secret=s%3Ae%20c%2Bret"
        )
    }

    // T-193, T-200
    @Test func `parameters that were not named are not sent`() async throws {
        let texts = try await Self.run(Self.ok) { gateway, server in
            let upstream = try Self.upstream(server.url)
            _ = try await gateway.tokens(for: .code(Secret("c"), redirectURI: nil, verifier: nil), at: upstream)
            _ = try await gateway.tokens(for: .refreshToken(Secret("r"), scope: nil), at: upstream)
            _ = try await gateway.tokens(for: .refreshToken(Secret("r"), scope: "a b"), at: upstream)
            return server.requests.map(\.text)
        }
        let client = "&client_id=client%261&client_secret=s%3Ae%20c%2Bret"
        #expect(
            texts == [
                "grant_type=authorization_code&code=c" + client, "grant_type=refresh_token&refresh_token=r" + client,
                "grant_type=refresh_token&refresh_token=r&scope=a%20b" + client,
            ]
        )
    }

    @Test func `with HTTP Basic the secret is not in the form`() async throws {
        let request = try await Self.run(Self.ok) { gateway, server in
            let upstream = try Self.upstream(server.url, authentication: .basic)
            _ = try await gateway.tokens(for: .refreshToken(Secret("r"), scope: nil), at: upstream)
            return try #require(server.requests.first)
        }
        // client%261:s%3Ae%20c%2Bret
        #expect(request.header("Authorization") == "Basic Y2xpZW50JTI2MTpzJTNBZSUyMGMlMkJyZXQ=")
        #expect(request.text == "grant_type=refresh_token&refresh_token=r")
    }

    // T-193
    @Test func `the lookup gets the access token, and the data's server a key of its own`() async throws {
        let requests = try await Self.run(Self.ok) { gateway, server in
            let upstream = try Self.upstream(server.url)
            let resource = try #require(upstream.resource)
            _ = try await gateway.person(behind: Secret("at"), by: resource.lookup, at: upstream)
            _ = try await gateway.data(of: "a/../b?c#d", in: resource, at: upstream)
            return server.requests
        }
        #expect(requests.map(\.method) == ["GET", "GET"])
        #expect(requests.map(\.path) == ["/lookup", "/people/a%2F..%2Fb%3Fc%23d/data?of=x"])
        #expect(requests.map { $0.header("Authorization") } == ["Bearer at", "Bearer data-key"])
        #expect(requests.map { $0.header("Accept") } == ["application/xml, text/xml", "application/json"])
    }

    @Test(arguments: [200, 400, 401, 403, 500, 503])
    func `an answer of whatever status comes back`(status: Int) async throws {
        let answer = try await Self.run { _ in
            .answer(status, body: "text")
        } during: { gateway, server in
            let upstream = try Self.upstream(server.url)
            return try await gateway.data(of: "p", in: try #require(upstream.resource), at: upstream)
        }
        #expect(answer.status == status)
        #expect(String(decoding: answer.body, as: UTF8.self) == "text")
    }

    @Test(arguments: [
        (200, TokenAnswer.noTokens), (400, .refused(status: 400, error: nil)), (401, .refused(status: 401, error: nil)),
        (403, .refused(status: 403, error: nil)), (500, .outage(status: 500)), (503, .outage(status: 503)),
    ])
    func `of a token answer the status is returned, and no text from outside the protocol`(
        status: Int,
        expected: TokenAnswer
    ) async throws {
        let answer = try await Self.run { _ in
            .answer(status, body: "text")
        } during: { gateway, server in
            let upstream = try Self.upstream(server.url)
            return try await gateway.tokens(for: .refreshToken(Secret("r"), scope: nil), at: upstream)
        }
        #expect(answer == expected)
    }

    /// The result of a lookup at a server that answers so.
    private static func failure(
        _ reply: ScriptedReply,
        timeout: Duration = .seconds(60)
    ) async throws -> ExchangeError? {
        try await run { _ in
            reply
        } during: { gateway, server in
            let upstream = try upstream(server.url, timeout: timeout)
            let lookup = try #require(upstream.resource?.lookup)
            do throws(ExchangeError) {
                _ = try await gateway.person(behind: Secret("at"), by: lookup, at: upstream)
                return nil
            } catch { return error }
        }
    }

    // T-193
    @Test func `a redirect is not followed, and takes no secret along`() async throws {
        let target = "https://elsewhere.example.com/"
        let failure = try await Self.failure(.answer(307, ["Location": target]))
        guard case .unusable? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `an answer without end is given up`() async throws {
        let failure = try await Self.failure(.flood)
        guard case .unusable? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `silence and a broken connection are an outage`() async throws {
        for reply in [
            ScriptedReply.hang, .reset, .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", thenClose: true),
        ] {
            let failure = try await Self.failure(reply, timeout: .seconds(2))
            guard case .unavailable? = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
        }
    }

    // T-193
    @Test func `no failure's text has a secret in it`() async throws {
        for reply in [ScriptedReply.hang, .reset, .flood, .answer(302, ["Location": "https://e.example.com/?at"])] {
            let failure = try await Self.failure(reply, timeout: .seconds(2))
            let text = String(describing: try #require(failure))
            for secret in ["Bearer", "s:e c+ret", "e.example.com"] { #expect(!text.contains(secret)) }
        }
    }
}
