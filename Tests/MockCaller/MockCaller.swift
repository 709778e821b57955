package import HTTPTypes
package import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

/// Somebody who calls a mock with an authorization server, without a socket.
package struct MockCaller: Sendable {
    private let client: any TestClientProtocol
    /// The inputs that the mock runs on.
    package let clockwork: CountingInputs

    /// Runs `body` against `mock`, which was made with the inputs of `clockwork`.
    package static func run(
        _ mock: some ApplicationProtocol,
        on clockwork: CountingInputs,
        _ body: @escaping @Sendable (MockCaller) async throws -> Void
    ) async throws {
        try await mock.test(.router) { client in
            try await body(MockCaller(client: client, clockwork: clockwork))
        }
    }

    package func call(
        _ method: HTTPRequest.Method,
        _ uri: String,
        _ body: String = "",
        headers: HTTPFields = [:]
    ) async throws -> MockAnswer {
        try await client.execute(uri: uri, method: method, headers: headers, body: ByteBuffer(string: body)) {
            response in
            MockAnswer(
                status: response.status.code,
                text: String(buffer: response.body),
                location: response.headers[.location] ?? ""
            )
        }
    }

    /// Steers the mock.
    package func control(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws {
        let answer = try await call(method, "/_mock/\(path)", body)
        #expect(answer.status == 204, "\(answer.text)")
    }

    /// The code with which an answer sends the browser back.
    package func code(of answer: MockAnswer) throws -> String {
        #expect(answer.status == 302)
        #expect(answer.parameter("state") == "s 1")
        return try #require(answer.parameter("code"))
    }
}
