import HTTPTypes
import Hummingbird
import NIOCore
package import Operations

/// `/livez`, `/readyz` and `/version`.
package struct HealthAPI: Sendable {
    private let version: String
    private let desk: OperationDesk
    private let drain: DrainSwitch
    private let checkStore: @Sendable () async throws -> Void

    /// `checkStore`: throws while nothing can be written.
    package init(
        version: String,
        desk: OperationDesk,
        drain: DrainSwitch,
        checkStore: @escaping @Sendable () async throws -> Void
    ) {
        self.version = version
        self.desk = desk
        self.drain = drain
        self.checkStore = checkStore
    }

    package var routes: [Route] {
        [
            Route(.get, "/livez", live), Route(.head, "/livez", live),
            Route(.get, "/readyz", ready), Route(.head, "/readyz", ready),
            Route(.get, "/version", showVersion), Route(.head, "/version", showVersion),
        ]
    }

    private static let alive = ByteBuffer(string: #"{"status":"ok"}"#)

    /// The process answers: nothing else is looked at.
    @Sendable private func live(_ request: Request, _ context: APIContext) async throws -> Response {
        JSONReply.bytes(Self.alive)
    }

    /// Whether a load balancer should send requests here.
    ///
    /// A provider's outage does not count: starts and polls work on.
    @Sendable private func ready(_ request: Request, _ context: APIContext) async throws -> Response {
        var store = "ok"
        do { try await checkStore() } catch { store = "unavailable" }
        let isReady = store == "ok" && !drain.isDraining
        let providers = Dictionary(
            desk.providerHealth.map { ($0.key.text, $0.value ? "ok" : "degraded") },
            uniquingKeysWith: { old, _ in old }
        )
        return JSONReply.encode(
            Readiness(
                status: isReady ? "ready" : "unavailable",
                store: store,
                draining: drain.isDraining,
                providers: providers
            ),
            status: isReady ? .ok : .serviceUnavailable
        )
    }

    @Sendable private func showVersion(_ request: Request, _ context: APIContext) async throws -> Response {
        JSONReply.encode(["name": "vestibule", "version": version])
    }

    private struct Readiness: Encodable {
        let status: String
        let store: String
        let draining: Bool
        let providers: [String: String]
    }
}
