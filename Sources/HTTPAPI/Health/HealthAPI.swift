import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Operations

/// The routes `/livez`, `/readyz` and `/version`.
struct HealthAPI: Sendable {
    let version: String
    let service: OperationService
    let drain: DrainSwitch
    let store: StoreProbe
    /// `nil` for a database on this machine's disk.
    let databaseClock: DatabaseClock?
    let peers: @Sendable () -> Peers
    let outcomes: ReadinessCounts

    var routes: [Route] {
        Route.document("/livez", access: .everybody, use: live)
            + Route.document("/readyz", access: .everybody, use: ready)
            + Route.document("/version", access: .everybody, use: showVersion)
    }

    private static let alive = ByteBuffer(string: #"{"status":"ok"}"#)

    /// Answers as long as the process does, and checks nothing else.
    private func live(_ request: Request, _ context: APIContext) async throws -> Response {
        JSONReply.bytes(Self.alive)
    }

    /// Answers 200 if a load balancer should send requests to this server, otherwise 503.
    ///
    /// A provider's outage does not count, because starts and polls still work.
    private func ready(_ request: Request, _ context: APIContext) async throws -> Response {
        let isWritable = await store.isWritable()
        // Deadlines are wall times in rows that other daemons read.
        let isSkewed = databaseClock?.isSkewed ?? false
        let outcome = outcome(isWritable: isWritable, isSkewed: isSkewed)
        let isReady = outcome == .ready
        outcomes.count(outcome)
        let providers = Dictionary(
            service.providerHealth.map { ($0.key.text, $0.value ? "ok" : "degraded") },
            uniquingKeysWith: { old, _ in old }
        )
        let circuits = Dictionary(
            service.providerCircuits.map { ($0.key.text, $0.value.rawValue) },
            uniquingKeysWith: { old, _ in old }
        )
        return JSONReply.encode(
            Readiness(
                status: isReady ? "ready" : "unavailable",
                store: isWritable ? "ok" : "unavailable",
                clock: databaseClock.map { _ in isSkewed ? "skewed" : "ok" },
                draining: drain.isAnnounced,
                reason: isReady ? nil : outcome.rawValue,
                providers: providers,
                circuits: circuits
            ),
            status: isReady ? .ok : .serviceUnavailable
        )
    }

    private func outcome(isWritable: Bool, isSkewed: Bool) -> ReadinessCounts.Outcome {
        if drain.isAnnounced { return .draining }
        if !isWritable { return .unavailable }
        if isSkewed { return .skewed }
        let peers = peers()
        return peers.isUnheard ? .unheard : peers.isDraining ? .drained : .ready
    }

    private func showVersion(_ request: Request, _ context: APIContext) async throws -> Response {
        JSONReply.encode(["name": "vestibule", "version": version])
    }

    private struct Readiness: Encodable {
        let status: String
        let store: String
        let clock: String?
        let draining: Bool
        let reason: String?
        let providers: [String: String]
        let circuits: [String: String]
    }
}
