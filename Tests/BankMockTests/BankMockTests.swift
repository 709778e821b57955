import Crypto
import Foundation
import HTTPTypes
import Kernel
import MockCaller
import MockServing
import Testing

@testable import BankMock

/// The mock of a bank: strict where a real one is, and wrong where a test wants it.
struct BankMockTests {
    fileprivate static let address = "https://login.example.com/api/enrollment/callback/td-bsim"
    fileprivate static let verifier = String(repeating: "v", count: 43)
    private static let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
    fileprivate static let secret = "client_id=vestibule&client_secret=mock-bank-secret"

    private static func run(
        issuer: String? = nil,
        secret: Secret? = Secret("mock-bank-secret"),
        _ body: @escaping @Sendable (MockCaller) async throws -> Void
    ) async throws {
        let clockwork = CountingInputs()
        var configuration = BankMockConfiguration()
        configuration.authorization.redirectURIs = [address]
        configuration.authorization.issuer = issuer
        configuration.authorization.clientSecret = secret
        let backend = SharedState(BankMockState(configuration), inputs: clockwork.inputs)
        try await MockCaller.run(makeBankMock(backend: backend), on: clockwork, body)
    }

    /// The page's address, with other parameters in the place of the usual ones.
    fileprivate static func page(_ changes: [String: String] = [:]) -> String {
        var parameters = [
            "response_type": "code", "client_id": "vestibule", "redirect_uri": address, "state": "s 1",
            "code_challenge": challenge, "code_challenge_method": "S256",
        ]
        parameters.merge(changes) { $1 }
        let query = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(PercentEncoding.component($0.value))" }
        return "/authorize?" + query.joined(separator: "&")
    }

    // MARK: The page

    @Test func `browsers find an icon`() async throws {
        try await Self.run { caller in
            let icon = try await caller.call(.get, "/favicon.ico")
            #expect(icon.status == 200 && icon.text.contains("PNG"))
        }
    }

    @Test func `the page offers every customer, and to cancel`() async throws {
        try await Self.run { caller in
            let answer = try await caller.call(.get, Self.page())
            #expect(answer.status == 200)
            for choice in ["alice", "bob", "many", "nocards"] {
                #expect(answer.text.contains(#"name="customer" value="\#(choice)""#))
            }
            #expect(answer.text.contains(#"name="cancel""#))
            #expect(answer.text.contains(#"name="viewport""#))
        }
    }

    @Test(arguments: [["client_id": "other"], ["redirect_uri": "https://evil.example.com"], ["redirect_uri": ""]])
    func `an unknown client or address gets a page and no redirect`(changes: [String: String]) async throws {
        try await Self.run { caller in
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await caller.call(method, Self.page(changes), "customer=alice")
                #expect(answer.status == 400)
                #expect(answer.location.isEmpty)
            }
        }
    }

    /// RFC 7636 §4.4.1, RFC 9700 §2.1.1.
    @Test(arguments: [
        ["code_challenge": ""], ["code_challenge": "short"], ["code_challenge_method": "plain"],
        ["code_challenge_method": ""],
    ])
    func `without a challenge by S256 nobody is asked`(changes: [String: String]) async throws {
        try await Self.run { caller in
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await caller.call(method, Self.page(changes), "customer=alice")
                #expect(answer.parameter("error") == "invalid_request")
                #expect(answer.parameter("code") == nil)
                #expect(answer.parameter("state") == "s 1")
            }
        }
    }

    @Test func `a cancelling person goes back with an error, and an unknown customer stays`() async throws {
        try await Self.run(issuer: "https://bank.example.com") { caller in
            let cancelled = try await caller.call(.post, Self.page(), "cancel=1")
            #expect(cancelled.parameter("error") == "access_denied")
            #expect(cancelled.parameter("iss") == "https://bank.example.com")
            let unknown = try await caller.call(.post, Self.page(), "customer=mallory")
            #expect(unknown.status == 200)
            #expect(unknown.location.isEmpty)
        }
    }

    // MARK: Tokens

    @Test func `a code counts once, with all that belongs to it alone`() async throws {
        try await Self.run { caller in
            let wrong: [(MockCaller, String) async throws -> MockAnswer] = [
                { try await $0.redeem($1, verifier: nil) }, { try await $0.redeem($1, verifier: "wrong") },
                { try await $0.redeem($1, redirectURI: "https://login.example.com/other") },
            ]
            for attempt in wrong {
                let answer = try await attempt(caller, try await caller.code())
                #expect(answer.status == 400)
                #expect(answer.value("access_token") == nil)
            }
            let code = try await caller.code()
            #expect(try await caller.redeem(code).value("token_type") == "Bearer")
            #expect(try await caller.redeem(code).value("error") == "invalid_grant")
        }
    }

    @Test func `the client presents its secret, if it has one`() async throws {
        try await Self.run { caller in
            let code = try await caller.code()
            for client in ["client_id=vestibule", "client_id=vestibule&client_secret=wrong", "client_id=other"] {
                let answer = try await caller.redeem(code, client: client)
                #expect(answer.status == 401)
                #expect(answer.value("error") == "invalid_client")
            }
            #expect(try await caller.redeem(code).status == 200)
        }
        try await Self.run(secret: nil) { caller in
            let answer = try await caller.redeem(try await caller.code(), client: "client_id=vestibule")
            #expect(answer.status == 200)
        }
    }

    @Test func `a code is over after a minute`() async throws {
        try await Self.run { caller in
            let code = try await caller.code()
            caller.clockwork.advance(seconds: 60)
            #expect(try await caller.redeem(code).value("error") == "invalid_grant")
        }
    }

    @Test func `a refresh token counts once`() async throws {
        try await Self.run { caller in
            let refresh = try #require(try await caller.tokens().value("refresh_token"))
            let body = "grant_type=refresh_token&refresh_token=\(refresh)&\(Self.secret)"
            let first = try await caller.call(.post, "/token", body)
            #expect(first.status == 200)
            #expect(first.value("refresh_token") != refresh)
            let second = try await caller.call(.post, "/token", body)
            #expect(second.status == 400)
            #expect(second.value("error") == "invalid_grant")
        }
    }

    // MARK: Cards

    @Test func `each customer's cards are returned to the holder of the token, until it expires`() async throws {
        try await Self.run { caller in
            for (customer, count) in [("alice", 2), ("bob", 1), ("many", 20), ("nocards", 0)] {
                let access = try #require(try await caller.tokens(of: customer).value("access_token"))
                let answer = try await caller.cards(access)
                #expect(answer.text.components(separatedBy: "lastFour").count - 1 == count)
            }
            let access = try #require(try await caller.tokens().value("access_token"))
            #expect(try await caller.cards(access).text.contains(#""lastFour":"4242""#))
            #expect(try await caller.cards("other").status == 401)
            caller.clockwork.advance(seconds: 600)
            #expect(try await caller.cards(access).status == 401)
        }
    }

    @Test func `a tester changes cards, and takes tokens back`() async throws {
        try await Self.run { caller in
            let access = try #require(try await caller.tokens().value("access_token"))
            try await caller.control(.put, "customers/alice/cards", #"[{"id":"n","lastFour":"1111","network":"AMEX"}]"#)
            let changed = try await caller.cards(access)
            #expect(changed.text.contains("1111"))
            #expect(!changed.text.contains("4242"))
            #expect(try await caller.call(.put, "/_mock/customers/eve/cards", "[]").status == 404)
            #expect(try await caller.call(.put, "/_mock/customers/alice/cards", "{}").status == 400)
            try await caller.control(.delete, "tokens")
            #expect(try await caller.cards(access).status == 401)
        }
    }

    // MARK: Faults

    @Test func `a fault strikes as often as it should, and calls are counted`() async throws {
        try await Self.run { caller in
            let access = try #require(try await caller.tokens().value("access_token"))
            try await caller.control(.put, "faults", #"{"target":"cards","fault":"down","count":2}"#)
            for status in [503, 503, 200] {
                #expect(try await caller.cards(access).status == status)
            }
            #expect(try await caller.call(.get, "/_mock/requests").text.contains(#""cards":3"#))
            try await caller.control(.delete, "requests")
            #expect(try await caller.call(.get, "/_mock/requests").text.contains(#""cards":0"#))
        }
    }

    @Test(arguments: [
        ("down", 503, "server_error"), ("error", 500, "server_error"), ("redirect", 302, ""),
        ("garbage", 200, "moved"), ("refuse", 401, "invalid_token"), ("malformed", 200, #""lastFour":4242"#),
    ])
    func `each fault has its answer, and ends`(fault: String, status: Int, text: String) async throws {
        try await Self.run { caller in
            let access = try #require(try await caller.tokens().value("access_token"))
            try await caller.control(.put, "faults", #"{"target":"cards","fault":"\#(fault)"}"#)
            let broken = try await caller.cards(access)
            #expect(broken.status == status)
            #expect(text.isEmpty || broken.text.contains(text))
            try await caller.control(.delete, "faults")
            #expect(try await caller.cards(access).text.contains(#""lastFour":"4242""#))
        }
    }

    @Test func `a code is refused, and an answer is long`() async throws {
        try await Self.run { caller in
            try await caller.control(.put, "faults", #"{"target":"token","fault":"refuse","count":1}"#)
            #expect(try await caller.tokens().value("error") == "invalid_grant")
            try await caller.control(.put, "faults", #"{"target":"token","fault":"flood","count":1}"#)
            let flood = try await caller.tokens()
            #expect(flood.text.utf8.count > 2_000_000)
        }
    }

    @Test(arguments: [
        "", "{}", #"{"target":"authorize","fault":"refuse"}"#, #"{"target":"cards","fault":"down","count":0}"#,
        #"{"target":"nothing","fault":"down"}"#, #"{"target":"cards","fault":"slow","ms":-1}"#,
    ])
    func `an unknown fault is refused`(control: String) async throws {
        try await Self.run { caller in
            let answer = try await caller.call(.put, "/_mock/faults", control)
            #expect(answer.status == 400)
        }
    }
}

extension MockCaller {
    fileprivate func code(for customer: String = "alice") async throws -> String {
        try code(of: try await call(.post, BankMockTests.page(), "customer=\(customer)"))
    }

    fileprivate func tokens(of customer: String = "alice") async throws -> MockAnswer {
        try await redeem(try await code(for: customer))
    }

    fileprivate func redeem(
        _ code: String,
        verifier: String? = BankMockTests.verifier,
        redirectURI: String = BankMockTests.address,
        client: String = BankMockTests.secret
    ) async throws -> MockAnswer {
        let proof = verifier.map { "&code_verifier=\($0)" } ?? ""
        let address = PercentEncoding.component(redirectURI)
        return try await call(
            .post,
            "/token",
            "grant_type=authorization_code&code=\(code)&redirect_uri=\(address)\(proof)&\(client)"
        )
    }

    fileprivate func cards(_ accessToken: String) async throws -> MockAnswer {
        try await call(.get, "/cards", headers: [.authorization: "Bearer \(accessToken)"])
    }
}
