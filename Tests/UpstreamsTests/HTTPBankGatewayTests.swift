import CodeFlow
import Kernel
import Outbound
import ScriptedServer
import Testing
import Wallet

@testable import Upstreams

/// The requests to a bank, and the answers that are accepted from it.
struct HTTPBankGatewayTests {
    private static func bank(
        _ url: String,
        authentication: ClientRegistration.Authentication = .post,
        timeout: Duration = .seconds(60)
    ) -> Bank {
        Bank(
            id: "td-bsim",
            name: "TD Bank",
            server: AuthorizationServer(
                authorizeURL: url + "/authorize",
                tokenURL: url + "/token",
                client: ClientRegistration(
                    id: "wallet&1",
                    secret: authentication == .none ? nil : Secret("s:e c+ret"),
                    authentication: authentication
                )
            ),
            cardsURL: url + "/cards?of=me",
            timeout: timeout
        )
    }

    /// Runs `body` with a gateway to a server that answers as the script says.
    private static func run<Value: Sendable>(
        _ script: @escaping ScriptedServer.Script,
        during body: @escaping @Sendable (HTTPBankGateway, ScriptedServer) async throws -> Value
    ) async throws -> Value {
        try await ScriptedServer.run(script) { server in
            try await OutboundHTTP.use(OutboundLimits(connectTimeout: .seconds(60)), clock: LiveClock()) { http in
                try await body(HTTPBankGateway(http), server)
            }
        }
    }

    private static let tokens =
        #"{"access_token":"at-1","token_type":"bearer","expires_in":600,"refresh_token":"rt-1"}"#

    // MARK: What is sent

    /// RFC 6749 §4.1.3, RFC 7636 §4.5.
    @Test func `a code is sent with its verifier, the same redirect URI and the secret`() async throws {
        let (request, tokens) = try await Self.run { _ in
            .json(Self.tokens)
        } during: { gateway, server in
            let tokens = try await gateway.tokens(
                for: .code(Secret("c/1"), redirectURI: "https://a.example.com/cb", verifier: Secret("v")),
                at: Self.bank(server.url)
            )
            return (try #require(server.requests.first), tokens)
        }
        #expect(request.method == "POST")
        #expect(request.path == "/token")
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.header("Authorization") == nil)
        #expect(
            request.text == "grant_type=authorization_code&code=c%2F1&redirect_uri=https%3A%2F%2Fa.example.com%2Fcb"
                + "&code_verifier=v&client_id=wallet%261&client_secret=s%3Ae%20c%2Bret"
        )
        #expect(tokens == GrantedTokens(accessToken: Secret("at-1"), refreshToken: Secret("rt-1"), expiresIn: 600))
    }

    @Test func `the secret is sent where the bank wants it, and a public client has none`() async throws {
        let requests = try await Self.run { _ in
            .json(Self.tokens)
        } during: { gateway, server in
            for authentication in [ClientRegistration.Authentication.basic, .none] {
                let bank = Self.bank(server.url, authentication: authentication)
                _ = try await gateway.tokens(for: .refreshToken(Secret("r")), at: bank)
            }
            return server.requests
        }
        // wallet%261:s%3Ae%20c%2Bret (RFC 6749 §2.3.1)
        #expect(requests.map { $0.header("Authorization") } == ["Basic d2FsbGV0JTI2MTpzJTNBZSUyMGMlMkJyZXQ=", nil])
        let form = "grant_type=refresh_token&refresh_token=r"
        #expect(requests.map(\.text) == [form, form + "&client_id=wallet%261"])
    }

    @Test func `cards are asked for with the access token alone`() async throws {
        let request = try await Self.run { _ in
            .json("[]")
        } during: { gateway, server in
            _ = try await gateway.cards(with: Secret("at-1"), at: Self.bank(server.url))
            return try #require(server.requests.first)
        }
        #expect(request.method == "GET")
        #expect(request.path == "/cards?of=me")
        #expect(request.header("Authorization") == "Bearer at-1")
        #expect(request.body.isEmpty)
    }

    // MARK: What is taken

    /// The result of a request for cards to a bank that answers so.
    private static func cards(
        _ reply: ScriptedReply,
        timeout: Duration = .seconds(60)
    ) async throws -> Result<[BankCard], BankError> {
        try await run { _ in
            reply
        } during: { gateway, server in
            do throws(BankError) {
                return .success(try await gateway.cards(with: Secret("at"), at: bank(server.url, timeout: timeout)))
            } catch { return .failure(error) }
        }
    }

    /// The result of a code at a bank that answers so.
    private static func redemption(_ reply: ScriptedReply) async throws -> Result<GrantedTokens, BankError> {
        try await run { _ in
            reply
        } during: { gateway, server in
            do throws(BankError) {
                let tokens = try await gateway.tokens(
                    for: .code(
                        Secret("the-code"),
                        redirectURI: "https://a.example.com/cb",
                        verifier: Secret("the-verifier")
                    ),
                    at: bank(server.url)
                )
                return .success(tokens)
            } catch { return .failure(error) }
        }
    }

    @Test(arguments: [
        #"{"cards":[{"id":"r1","lastFour":"4242","network":"VISA"}]}"#,
        #"[{"token":"r1","last4":"4242","cardType":"VISA","expiry":"12/29"}]"#,
        #"{"cards":[{"cardToken":"r1","id":"7","lastFour":"4242","cardType":"VISA"}],"more":null}"#,
        #"[{"cardToken":null,"id":"r1","lastFour":null,"last4":"4242","network":null,"cardType":"VISA"}]"#,
    ])
    func `each way in which banks tell a card is read`(body: String) async throws {
        let cards = try await Self.cards(.json(body)).get()
        #expect(cards == [BankCard(reference: "r1", lastFour: "4242", network: "VISA")])
    }

    @Test(arguments: [
        "", "null", "{}", #"{"cards":{}}"#, #"{"cards":[7]}"#, "Service temporarily moved",
        // Wrong types.
        #"[{"id":7,"lastFour":"4242","network":"VISA"}]"#, #"[{"id":"a","lastFour":4242,"network":"VISA"}]"#,
        #"[{"id":"a","lastFour":"4242","network":null}]"#,
        // A whole card number, and what only looks like digits.
        #"[{"id":"a","lastFour":"4242424242424242","network":"VISA"}]"#,
        #"[{"id":"a","lastFour":"４２４２","network":"VISA"}]"#,
        // A reference that is empty, has a line break, or is there twice.
        #"[{"id":"","lastFour":"4242","network":"VISA"}]"#, #"[{"id":"a\nb","lastFour":"4242","network":"VISA"}]"#,
        #"[{"id":"a","lastFour":"1111","network":"VISA"},{"id":"a","lastFour":"2222","network":"VISA"}]"#,
        // A name that shows as another.
        #"[{"id":"a","lastFour":"4242","network":"VI\u202ESA"}]"#,
        // A member twice: readers differ about which one counts.
        #"[{"id":"a","id":"b","lastFour":"4242","network":"VISA"}]"#,
        // One unfit card: half a list would have the others removed.
        #"[{"id":"a","lastFour":"4242","network":"VISA"},{"id":"b"}]"#,
    ])
    func `a list that is not as it should be is taken in no part`(body: String) async throws {
        let outcome = try await Self.cards(.json(body))
        #expect(throws: BankError.unusable(cause: "HTTP 200 with a body that is not a list of cards")) {
            try outcome.get()
        }
    }

    @Test func `fifty cards are taken, and one more is a fault`() async throws {
        func body(_ count: Int) -> String {
            let cards = (0..<count).map { #"{"id":"card-\#($0)","lastFour":"4242","network":"VISA"}"# }
            return "[\(cards.joined(separator: ","))]"
        }
        #expect(try await Self.cards(.json(body(50))).get().count == 50)
        guard case .failure(.unusable) = try await Self.cards(.json(body(51))) else {
            Issue.record("51 cards were taken")
            return
        }
    }

    @Test(arguments: [
        "", "[]", #"{"token_type":"Bearer"}"#, #"{"access_token":7,"token_type":"Bearer"}"#,
        #"{"access_token":"at"}"#, #"{"access_token":"at","token_type":"mac"}"#,
        #"{"access_token":"at\r\nX-Other: 1","token_type":"Bearer"}"#, #"{"access_token":"","token_type":"Bearer"}"#,
        #"{"access_token":"at","token_type":"Bearer","refresh_token":["rt"]}"#,
        #"{"access_token":"at","access_token":"other","token_type":"Bearer"}"#,
    ])
    func `a body without good tokens is none`(body: String) async throws {
        let outcome = try await Self.redemption(.json(body))
        #expect(throws: BankError.unusable(cause: "HTTP 200 with a body that has no tokens in it")) {
            try outcome.get()
        }
    }

    @Test(arguments: [
        (#""expires_in":0"#, nil as Int?), (#""expires_in":-5"#, nil), (#""expires_in":"600""#, nil),
        (#""expires_in":99999999999"#, nil), (#""expires_in":600"#, 600),
    ])
    func `a lifetime counts where it can be one`(member: String, seconds: Int?) async throws {
        let body = #"{"access_token":"at","token_type":"Bearer",\#(member)}"#
        let tokens = try await Self.redemption(.json(body)).get()
        #expect(tokens == GrantedTokens(accessToken: Secret("at"), refreshToken: nil, expiresIn: seconds))
    }

    /// RFC 6749 §5.2.
    @Test(arguments: [
        (400, #"{"error":"invalid_grant"}"#, BankError.refused(cause: "HTTP 400 invalid_grant")),
        (401, #"{"error":"invalid_client"}"#, .unusable(cause: "HTTP 401 invalid_client")),
        (400, #"{"error":"the-code"}"#, .unusable(cause: "HTTP 400 with an unknown error")),
        (400, "<html>", .unusable(cause: "HTTP 400 without an error")),
        (400, #"{"error":"temporarily_unavailable"}"#, .unavailable(cause: "HTTP 400 temporarily_unavailable")),
        (429, "", .unavailable(cause: "HTTP 429")), (503, "", .unavailable(cause: "HTTP 503")),
        (206, "", .unusable(cause: "HTTP 206")),
    ])
    func `a refusal is distinguished from an outage and from an error`(
        status: Int,
        body: String,
        failure: BankError
    ) async throws {
        let outcome = try await Self.redemption(.json(body, status: status))
        #expect(throws: failure) { try outcome.get() }
    }

    @Test(arguments: [
        (401, BankError.refused(cause: "HTTP 401")), (403, .refused(cause: "HTTP 403")),
        (404, .unusable(cause: "HTTP 404")), (429, .unavailable(cause: "HTTP 429")),
        (500, .unavailable(cause: "HTTP 500")),
    ])
    func `a failed request for cards has a reason`(status: Int, failure: BankError) async throws {
        let outcome = try await Self.cards(.json("{}", status: status))
        #expect(throws: failure) { try outcome.get() }
    }

    // MARK: What goes wrong on the way

    /// The code and the token would go along (RFC 9110 §15.4).
    @Test func `a redirect is not followed`() async throws {
        let (outcome, asked) = try await Self.run { request in
            request.path == "/elsewhere" ? .json(Self.tokens) : .answer(307, ["Location": "/elsewhere"])
        } during: { gateway, server in
            let outcome: Result<GrantedTokens, BankError>
            do throws(BankError) {
                let bank = Self.bank(server.url)
                outcome = .success(try await gateway.tokens(for: .refreshToken(Secret("r")), at: bank))
            } catch { outcome = .failure(error) }
            return (outcome, server.requests.map(\.path))
        }
        guard case .failure(.unusable) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(asked == ["/token"])
    }

    @Test func `an answer without end is given up`() async throws {
        guard case .failure(.unusable) = try await Self.cards(.flood) else {
            Issue.record("a flood was taken")
            return
        }
    }

    @Test func `silence, drops and a broken connection are an outage`() async throws {
        for reply in [
            ScriptedReply.hang, .reset, .drip(size: 100_000, every: .milliseconds(100)),
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", thenClose: true),
        ] {
            let outcome = try await Self.cards(reply, timeout: .seconds(2))
            guard case .failure(.unavailable) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    @Test func `no failure's text has anything of the bank or a secret in it`() async throws {
        for reply in [
            ScriptedReply.reset, .flood, .answer(302, ["Location": "https://e.example.com/?at"]),
            .json(#"{"error":"the-code"}"#, status: 400), .json(#"{"error":"e.example.com"}"#, status: 500),
        ] {
            guard case .failure(let failure) = try await Self.redemption(reply) else {
                Issue.record("taken: \(reply)")
                continue
            }
            let text = String(describing: failure)
            for secret in ["the-code", "the-verifier", "s:e c+ret", "e.example.com"] { #expect(!text.contains(secret)) }
        }
    }
}
