import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MockServing
import NIOCore
import Synchronization
import Testing

@testable import UpstreamMock

/// The mock of an upstream: strict where the real one is, and wrong where a test wants it.
struct UpstreamMockTests {
    private static let address = "https://login.example.com/oauth/upstream/callback"

    /// A mock whose time stands still.
    private static func mock() -> (UpstreamMockBackend, Clockwork) {
        let clockwork = Clockwork()
        var configuration = UpstreamMockConfiguration()
        configuration.redirectURIs = [address]
        let inputs = MachineInputs(now: { clockwork.now }, randomBytes: { clockwork.bytes($0) })
        return (UpstreamMockBackend(configuration: configuration, inputs: inputs), clockwork)
    }

    /// Time that a test moves, and numbers that count up.
    private final class Clockwork: Sendable {
        private let state = Mutex((seconds: Int64(1_700_000_000), drawn: UInt8(0)))

        var now: Instant { Instant(seconds: state.withLock(\.seconds)) }
        func advance(seconds: Int64) { state.withLock { $0.seconds += seconds } }

        func bytes(_ count: Int) -> [UInt8] {
            state.withLock { state in
                state.drawn &+= 1
                return Array(repeating: state.drawn, count: count)
            }
        }
    }

    private struct Answer {
        let status: Int
        let text: String
        let location: String

        func value(_ name: String) -> String? {
            let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return object?[name] as? String
        }

        /// A parameter of the address that the browser is sent to.
        func parameter(_ name: String) -> String? {
            URLComponents(string: location)?.queryItems?.first { $0.name == name }?.value
        }
    }

    private static func call(
        _ client: any TestClientProtocol,
        _ method: HTTPRequest.Method,
        _ uri: String,
        _ headers: HTTPFields = [:],
        _ body: String = ""
    ) async throws -> Answer {
        try await client.execute(uri: uri, method: method, headers: headers, body: ByteBuffer(string: body)) {
            response in
            Answer(
                status: response.status.code,
                text: String(buffer: response.body),
                location: response.headers[.location] ?? ""
            )
        }
    }

    private static func run(
        _ body: @escaping @Sendable (any TestClientProtocol, UpstreamMockBackend, Clockwork) async throws -> Void
    ) async throws {
        let (backend, clockwork) = mock()
        let application = makeUpstreamMock(backend: backend)
        try await application.test(.router) { client in try await body(client, backend, clockwork) }
    }

    private static let secret = "client_id=mock-client&client_secret=mock-client-secret"

    private static func form(_ more: String) -> String {
        "response_type=code&client_id=mock-client&redirect_uri=\(PercentEncoding.component(address))&state=s%201" + more
    }

    private static func code(_ client: any TestClientProtocol, _ more: String = "") async throws -> String {
        let body = form("&email=ada%40example.com&password=ada-password" + more)
        let answer = try await call(client, .post, "/authorize", [:], body)
        #expect(answer.status == 302)
        #expect(answer.parameter("state") == "s 1")
        return try #require(answer.parameter("code"))
    }

    private static func tokens(_ client: any TestClientProtocol) async throws -> Answer {
        let code = try await code(client)
        return try await call(client, .post, "/token", [:], "grant_type=authorization_code&code=\(code)&\(secret)")
    }

    @Test func `the sign-in page carries the request along, escaped`() async throws {
        try await Self.run { client, _, _ in
            let answer = try await Self.call(client, .get, "/authorize?" + Self.form("&scope=%22%3E%3Cscript%3E"))
            #expect(answer.status == 200)
            #expect(answer.text.contains(#"name="scope" value="&quot;&gt;&lt;script&gt;""#))
        }
    }

    @Test(arguments: [
        "client_id=other&redirect_uri=x", "client_id=mock-client&redirect_uri=https%3A%2F%2Fevil.example.com", "",
    ])
    func `an unknown client or address gets a page and no redirect`(query: String) async throws {
        try await Self.run { client, _, _ in
            let answer = try await Self.call(client, .get, "/authorize?response_type=code&" + query)
            #expect(answer.status == 400)
            #expect(answer.location.isEmpty)
        }
    }

    @Test func `who cancels goes back with an error, who mistypes stays`() async throws {
        try await Self.run { client, _, _ in
            let cancelled = try await Self.call(client, .post, "/authorize", [:], Self.form("&cancel=1"))
            #expect(cancelled.parameter("error") == "access_denied")
            let wrong = try await Self.call(
                client,
                .post,
                "/authorize",
                [:],
                Self.form("&email=ada%40example.com&password=wrong")
            )
            #expect(wrong.status == 200)
            #expect(wrong.location.isEmpty)
        }
    }

    @Test func `a code counts once, and with the secret alone`() async throws {
        try await Self.run { client, _, _ in
            let code = try await Self.code(client)
            let grant = "grant_type=authorization_code&code=\(code)&"
            for without in [
                "client_id=mock-client", "client_id=mock-client&client_secret=wrong",
                "client_secret=mock-client-secret",
            ] {
                let answer = try await Self.call(client, .post, "/token", [:], grant + without)
                #expect(answer.status == 401)
                #expect(answer.value("error") == "invalid_client")
            }
            let basic = Data("mock-client:mock-client-secret".utf8).base64EncodedString()
            let first = try await Self.call(client, .post, "/token", [.authorization: "Basic \(basic)"], grant)
            #expect(first.status == 200)
            #expect(first.value("token_type") == "Bearer")
            let second = try await Self.call(client, .post, "/token", [:], grant + Self.secret)
            #expect(second.value("error") == "invalid_grant")
        }
    }

    @Test func `a code with a challenge needs its verifier`() async throws {
        try await Self.run { client, _, _ in
            let verifier = String(repeating: "v", count: 43)
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
            for (more, status) in [("", 400), ("&code_verifier=wrong", 400), ("&code_verifier=\(verifier)", 200)] {
                let code = try await Self.code(client, "&code_challenge=\(challenge)")
                let body = "grant_type=authorization_code&code=\(code)&\(Self.secret)\(more)"
                #expect(try await Self.call(client, .post, "/token", [:], body).status == status)
            }
        }
    }

    @Test func `a refresh token counts once`() async throws {
        try await Self.run { client, _, _ in
            let refresh = try #require(try await Self.tokens(client).value("refresh_token"))
            let body = "grant_type=refresh_token&refresh_token=\(refresh)&\(Self.secret)"
            #expect(try await Self.call(client, .post, "/token", [:], body).status == 200)
            let second = try await Self.call(client, .post, "/token", [:], body)
            #expect(second.status == 400)
            #expect(second.value("error") == "invalid_grant")
        }
    }

    @Test func `the lookup tells whose token it is until that expires`() async throws {
        try await Self.run { client, _, clockwork in
            let access = try #require(try await Self.tokens(client).value("access_token"))
            let lookup = "/UCP_SCIF_XML/UserManagement/GetPersonalInformation"
            let headers: HTTPFields = [.authorization: "Bearer \(access)"]
            let known = try await Self.call(client, .get, lookup, headers)
            #expect(known.text.contains("<BPId>4711</BPId>"))
            #expect(known.text.contains("<Status>ACTIVE</Status>"))
            #expect(try await Self.call(client, .get, lookup).status == 401)
            clockwork.advance(seconds: 600)
            #expect(try await Self.call(client, .get, lookup, headers).status == 401)
        }
    }

    @Test(arguments: [("4711", 200), ("4712", 403), ("9999", 404)])
    func `the data is kept under the person's id`(id: String, status: Int) async throws {
        try await Self.run { client, _, _ in
            let answer = try await Self.call(client, .get, "/esb/people/\(id)/data")
            #expect(answer.status == status)
        }
    }

    @Test func `a fault strikes as often as it was asked to, and calls are counted either way`() async throws {
        try await Self.run { client, _, _ in
            let order = #"{"target":"data","fault":"down","count":2}"#
            #expect(try await Self.call(client, .put, "/_mock/faults", [:], order).status == 204)
            for status in [500, 500, 200] {
                #expect(try await Self.call(client, .get, "/esb/people/4711/data").status == status)
            }
            #expect(try await Self.call(client, .get, "/_mock/requests").text.contains(#""data":3"#))
            _ = try await Self.call(client, .delete, "/_mock/requests")
            #expect(try await Self.call(client, .get, "/_mock/requests").text.contains(#""data":0"#))
        }
    }

    @Test(arguments: [
        ("lookup", "expired", 401), ("data", "forbidden", 403), ("data", "redirect", 302), ("lookup", "garbage", 200),
    ])
    func `each fault has its answer`(target: String, fault: String, status: Int) async throws {
        try await Self.run { client, _, _ in
            let access = try #require(try await Self.tokens(client).value("access_token"))
            let order = #"{"target":"\#(target)","fault":"\#(fault)"}"#
            _ = try await Self.call(client, .put, "/_mock/faults", [:], order)
            let path =
                target == "data" ? "/esb/people/4711/data" : "/UCP_SCIF_XML/UserManagement/GetPersonalInformation"
            let headers: HTTPFields = [.authorization: "Bearer \(access)"]
            #expect(try await Self.call(client, .get, path, headers).status == status)
            _ = try await Self.call(client, .delete, "/_mock/faults")
            #expect(try await Self.call(client, .get, path, headers).status == 200)
        }
    }

    @Test(arguments: [
        "", "{}", #"{"target":"data","fault":"expired"}"#, #"{"target":"token","fault":"inactive"}"#,
        #"{"target":"data","fault":"down","count":0}"#, #"{"target":"nothing","fault":"down"}"#,
    ])
    func `a fault that there is not is refused`(order: String) async throws {
        try await Self.run { client, _, _ in
            let answer = try await Self.call(client, .put, "/_mock/faults", [:], order)
            #expect(answer.status == 400)
        }
    }
}
