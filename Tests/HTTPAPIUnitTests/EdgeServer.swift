import Hummingbird
import HummingbirdTesting
import Logging
import MemoryStore
import NIOCore
import Testing
import Web

@testable import HTTPAPI

/// A server of two routes behind the edge, with the handlers of each connection: nothing else of the daemon runs.
enum EdgeServer {
    /// The path of a route that takes any JSON.
    static let messages = "/messages"
    private static let bodyLimit = 65_536

    /// Runs `body` with the server's port.
    static func run(_ body: @Sendable (Int) async throws -> Void) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let edge = EdgeMiddleware(
            server: .local(bodyLimit: bodyLimit),
            environment: VirtualTime().environment(),
            logger: logger
        )
        let routes = [
            MountedRoute(method: .get, template: "/livez", interceptor: nil) { _, _ in Response(status: .ok) },
            MountedRoute(method: .post, template: messages, interceptor: nil) { request, _ in
                _ = try await JSONBody(limit: bodyLimit).bytes(from: request)
                return Response(status: .ok)
            },
        ]
        let application = Application(
            responder: RouteTable.responder(routes, edge: edge),
            server: .http1(
                configuration: .init(additionalChannelHandlers: ConnectionHandlers.make(silence: .seconds(75)))
            ),
            onServerRunning: { try? await LastConnections.handOver(from: $0) },
            logger: logger
        )
        try await application.test(.live) { try await body(#require($0.port)) }
    }
}

extension ServerConfiguration {
    /// A server on localhost, without a proxy before it.
    static func local(bodyLimit: Int, showing languages: Languages = .builtIn) -> ServerConfiguration {
        ServerConfiguration(
            publicURL: "http://localhost",
            issuer: "http://localhost",
            bodyLimit: bodyLimit,
            addresses: ClientAddresses(trusting: []),
            localization: Localization(languages)
        )
    }
}
