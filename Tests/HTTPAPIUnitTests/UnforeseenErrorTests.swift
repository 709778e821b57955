import HTTPTypes
import HummingbirdTesting
import MemoryStore
import Testing

@testable import HTTPAPI

/// The edge, where a handler throws what no handler should.
struct UnforeseenErrorTests {
    @Test func `a fault that nobody foresaw is 500 in the one body, and its cause is in the log alone`() async throws {
        struct Surprise: Error { let cause = "s3cret" }
        let log = LogRecorder()
        let route = Route(.get, "/surprise", access: .everybody) { _, _ in throw Surprise() }
        try await OpenServer.run([route], log: log) { server in
            let response = try await server.send(.get, "/surprise")
            #expect(response.status == .internalServerError)
            let body = try response.json()
            #expect(body["code"] as? String == "internal_error")
            #expect(body["requestId"] as? String == response.headers[our: .xRequestID])
            #expect(!response.text.contains("s3cret") && !response.text.contains("Surprise"))
            #expect(response.headers[.cacheControl] == "no-store")
            let fault = try #require(log.lines.first { $0.message == "a request failed" })
            #expect(fault.metadata["cause"]?.contains("s3cret") == true)
            #expect(fault.metadata["request"] == response.headers[our: .xRequestID])
        }
    }
}
