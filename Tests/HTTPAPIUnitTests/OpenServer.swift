import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MemoryStore
import NIOCore
import Testing
import Web

@testable import HTTPAPI

/// A server of routes for everybody, behind the edge: there is no account, and no store.
struct OpenServer: Sendable {
    let client: any TestClientProtocol

    static func run(
        _ routes: [Route],
        showing languages: Languages = .builtIn,
        log: LogRecorder = LogRecorder(),
        _ body: @Sendable (OpenServer) async throws -> Void
    ) async throws {
        let edge = EdgeMiddleware(
            server: .local(bodyLimit: 65_536, showing: languages),
            environment: VirtualTime().environment(),
            logger: log.logger
        )
        let mounted = try routes.map { try $0.mounted(behind: noGate($0)) }
        let responder = RouteTable.responder(mounted, edge: edge)
        try await Application(responder: responder, logger: log.logger).test(.router) { client in
            try await body(OpenServer(client: client))
        }
    }

    /// Refuses to be the gate of a route: nobody is signed in here.
    private static func noGate(_ route: Route) throws -> AccessGate {
        throw NobodySignedInError(route: route.template)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await client.execute(uri: path, method: method, headers: headers)
    }

    /// Expects that error, in the one error body.
    func expect(
        _ response: TestResponse,
        is code: String,
        _ status: Int,
        _ input: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status.code == status, input, sourceLocation: sourceLocation)
        let body = try response.json()
        #expect(body["code"] as? String == code, input, sourceLocation: sourceLocation)
        #expect(Set(body.keys) == ["error", "code", "message", "requestId"], sourceLocation: sourceLocation)
        #expect(body["error"] as? String == body["message"] as? String, sourceLocation: sourceLocation)
        #expect((body["message"] as? String)?.isEmpty == false, sourceLocation: sourceLocation)
        let requestID = response.headers[our: .xRequestID]
        #expect(body["requestId"] as? String == requestID, sourceLocation: sourceLocation)
        #expect(response.headers[.contentType] == "application/json", sourceLocation: sourceLocation)
    }
}

/// The route asks who is signed in.
private struct NobodySignedInError: Error {
    let route: String
}

extension TestResponse {
    var text: String { String(buffer: body) }

    var headerNames: [String] { headers.map { $0.name.canonicalName }.sorted() }

    /// The members of the JSON object that it is.
    func json() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any])
    }
}
