import Crypto
import Foundation
import HTTPTypes
import Kernel
import MockCaller
import MockServing
import Testing

@testable import UpstreamMock

/// The mock of an upstream: strict where the real one is, and wrong where a test wants it.
struct UpstreamMockTests {
    private static let address = "https://login.example.com/oauth/upstream/callback"

    private static func run(_ body: @escaping @Sendable (MockCaller) async throws -> Void) async throws {
        let clockwork = CountingInputs()
        var configuration = UpstreamMockConfiguration()
        configuration.authorization.redirectURIs = [address]
        let backend = SharedState(UpstreamMockState(configuration), inputs: clockwork.inputs)
        try await MockCaller.run(makeUpstreamMock(backend: backend), on: clockwork, body)
    }

    private static let secret = "client_id=mock-client&client_secret=mock-client-secret"

    private static func form(_ more: String) -> String {
        "response_type=code&client_id=mock-client&redirect_uri=\(PercentEncoding.component(address))&state=s%201" + more
    }

    private static func code(_ caller: MockCaller, _ more: String = "") async throws -> String {
        let body = form("&email=ada%40example.com&password=ada-password" + more)
        return try caller.code(of: try await caller.call(.post, "/authorize", body))
    }

    private static func tokens(_ caller: MockCaller) async throws -> MockAnswer {
        let code = try await code(caller)
        return try await caller.call(.post, "/token", "grant_type=authorization_code&code=\(code)&\(secret)")
    }

    @Test func `browsers find an icon`() async throws {
        try await Self.run { caller in
            let icon = try await caller.call(.get, "/favicon.ico")
            #expect(icon.status == 200 && icon.text.contains("PNG"))
        }
    }

    @Test func `the sign-in page carries the request along, escaped`() async throws {
        try await Self.run { caller in
            let answer = try await caller.call(.get, "/authorize?" + Self.form("&scope=%22%3E%3Cscript%3E"))
            #expect(answer.status == 200)
            #expect(answer.text.contains(#"name="scope" value="&quot;&gt;&lt;script&gt;""#))
            #expect(answer.text.contains(#"name="viewport""#) && answer.text.contains("<style>"))
        }
    }

    @Test func `a mistyped password is said, and the address stays in its field, escaped`() async throws {
        try await Self.run { caller in
            let body = Self.form("&email=%22%3E%3Cb%3E%40example.com&password=wrong")
            let answer = try await caller.call(.post, "/authorize", body)
            #expect(answer.text.contains(#"<p class="fault" role="alert">Wrong e-mail or password.</p>"#))
            #expect(answer.text.contains(#"value="&quot;&gt;&lt;b&gt;@example.com""#))
            #expect(!answer.text.contains("wrong") && !answer.text.contains("<b>"))
        }
    }

    @Test(arguments: [
        "client_id=other&redirect_uri=x", "client_id=mock-client&redirect_uri=https%3A%2F%2Fevil.example.com", "",
    ])
    func `an unknown client or address gets a page and no redirect`(query: String) async throws {
        try await Self.run { caller in
            let answer = try await caller.call(.get, "/authorize?response_type=code&" + query)
            #expect(answer.status == 400)
            #expect(answer.location.isEmpty)
        }
    }

    @Test func `a cancelling person goes back with an error, a mistyped password stays`() async throws {
        try await Self.run { caller in
            let cancelled = try await caller.call(.post, "/authorize", Self.form("&cancel=1"))
            #expect(cancelled.parameter("error") == "access_denied")
            let wrong = try await caller.call(
                .post,
                "/authorize",
                Self.form("&email=ada%40example.com&password=wrong")
            )
            #expect(wrong.status == 200)
            #expect(wrong.location.isEmpty)
        }
    }

    @Test func `a code counts once, and with the secret alone`() async throws {
        try await Self.run { caller in
            let code = try await Self.code(caller)
            let grant = "grant_type=authorization_code&code=\(code)&"
            for without in [
                "client_id=mock-client", "client_id=mock-client&client_secret=wrong",
                "client_secret=mock-client-secret",
            ] {
                let answer = try await caller.call(.post, "/token", grant + without)
                #expect(answer.status == 401)
                #expect(answer.value("error") == "invalid_client")
            }
            let basic = Data("mock-client:mock-client-secret".utf8).base64EncodedString()
            let first = try await caller.call(.post, "/token", grant, headers: [.authorization: "Basic \(basic)"])
            #expect(first.status == 200)
            #expect(first.value("token_type") == "Bearer")
            let second = try await caller.call(.post, "/token", grant + Self.secret)
            #expect(second.value("error") == "invalid_grant")
        }
    }

    @Test func `a code with a challenge needs its verifier`() async throws {
        try await Self.run { caller in
            let verifier = String(repeating: "v", count: 43)
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
            for (more, status) in [("", 400), ("&code_verifier=wrong", 400), ("&code_verifier=\(verifier)", 200)] {
                let code = try await Self.code(caller, "&code_challenge=\(challenge)")
                let body = "grant_type=authorization_code&code=\(code)&\(Self.secret)\(more)"
                #expect(try await caller.call(.post, "/token", body).status == status)
            }
        }
    }

    @Test func `a refresh token counts once`() async throws {
        try await Self.run { caller in
            let refresh = try #require(try await Self.tokens(caller).value("refresh_token"))
            let body = "grant_type=refresh_token&refresh_token=\(refresh)&\(Self.secret)"
            #expect(try await caller.call(.post, "/token", body).status == 200)
            let second = try await caller.call(.post, "/token", body)
            #expect(second.status == 400)
            #expect(second.value("error") == "invalid_grant")
        }
    }

    @Test func `the lookup tells whose token it is until that expires`() async throws {
        try await Self.run { caller in
            let access = try #require(try await Self.tokens(caller).value("access_token"))
            let lookup = "/UCP_SCIF_XML/UserManagement/GetPersonalInformation"
            let headers: HTTPFields = [.authorization: "Bearer \(access)"]
            let known = try await caller.call(.get, lookup, headers: headers)
            #expect(known.text.contains("<BPId>4711</BPId>"))
            #expect(known.text.contains("<Status>ACTIVE</Status>"))
            #expect(try await caller.call(.get, lookup).status == 401)
            caller.clockwork.advance(seconds: 600)
            #expect(try await caller.call(.get, lookup, headers: headers).status == 401)
        }
    }

    @Test(arguments: [("4711", 200), ("4712", 403), ("9999", 404)])
    func `the data is kept under the person's id`(id: String, status: Int) async throws {
        try await Self.run { caller in
            let answer = try await caller.call(.get, "/esb/people/\(id)/data")
            #expect(answer.status == status)
        }
    }

    @Test func `a fault strikes as often as it was asked to, and calls are counted either way`() async throws {
        try await Self.run { caller in
            let control = #"{"target":"data","fault":"down","count":2}"#
            try await caller.control(.put, "faults", control)
            for status in [500, 500, 200] {
                #expect(try await caller.call(.get, "/esb/people/4711/data").status == status)
            }
            #expect(try await caller.call(.get, "/_mock/requests").text.contains(#""data":3"#))
            try await caller.control(.delete, "requests")
            #expect(try await caller.call(.get, "/_mock/requests").text.contains(#""data":0"#))
        }
    }

    @Test(arguments: [
        ("lookup", "expired", 401), ("data", "forbidden", 403), ("data", "redirect", 302), ("lookup", "garbage", 200),
    ])
    func `each fault has its answer`(target: String, fault: String, status: Int) async throws {
        try await Self.run { caller in
            let access = try #require(try await Self.tokens(caller).value("access_token"))
            let control = #"{"target":"\#(target)","fault":"\#(fault)"}"#
            try await caller.control(.put, "faults", control)
            let path =
                target == "data" ? "/esb/people/4711/data" : "/UCP_SCIF_XML/UserManagement/GetPersonalInformation"
            let headers: HTTPFields = [.authorization: "Bearer \(access)"]
            #expect(try await caller.call(.get, path, headers: headers).status == status)
            try await caller.control(.delete, "faults")
            #expect(try await caller.call(.get, path, headers: headers).status == 200)
        }
    }

    @Test(arguments: [
        "", "{}", #"{"target":"data","fault":"expired"}"#, #"{"target":"token","fault":"inactive"}"#,
        #"{"target":"data","fault":"down","count":0}"#, #"{"target":"nothing","fault":"down"}"#,
    ])
    func `an unknown fault is refused`(control: String) async throws {
        try await Self.run { caller in
            let answer = try await caller.call(.put, "/_mock/faults", control)
            #expect(answer.status == 400)
        }
    }
}
