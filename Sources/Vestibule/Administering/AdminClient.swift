import FoundationEssentials
import HTTPAPI
import Kernel
import Logging
import Outbound

/// Takes a command's request to whoever can carry it out: the daemon, over its socket, or this process under the lock
/// on the data folder while no daemon runs.
///
/// Either way memory never goes stale.
struct AdminClient {
    private static let timeout: Duration = .seconds(60)

    let settings: Settings
    let facts: Facts

    /// - Throws: ``Exit``, with the daemon's own words where it refused.
    func send(_ request: AdminRequest) async throws -> AdminReply {
        let folder = try DataFolder.open(settings.dataFolder)
        if let lock = try? folder.lock() {
            defer { withExtendedLifetime(lock) {} }
            return try Self.accepted(try await carryOutHere(request))
        }
        return try Self.accepted(try await ask(request))
    }

    private func carryOutHere(_ request: AdminRequest) async throws -> AdminReply {
        var logger = Logger(label: "vestibule") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let composition = try Composition(settings, facts: facts, logger: logger, migrating: true)
        do {
            let reply = try await composition.administration.handle(request)
            await composition.shutdown()
            return reply
        } catch {
            await composition.shutdown()
            throw error
        }
    }

    private func ask(_ request: AdminRequest) async throws -> AdminReply {
        let body = Array(try JSONEncoder().encode(request))
        let path = settings.adminSocket
        do {
            let response = try await OutboundHTTP.use(clock: facts.clock) { http in
                try await http.send(
                    OutboundRequest(
                        .post,
                        .unixSocket(file: path, path: AdminRoute.path),
                        headers: [OutboundHeader("Content-Type", "application/json")],
                        body: body,
                        timeout: Self.timeout,
                        maxResponseBytes: 64 * 1024 * 1024
                    )
                )
            }
            return try JSONDecoder().decode(AdminReply.self, from: Data(response.body))
        } catch let failure as OutboundFailure {
            throw Exit.unavailable(
                "A daemon holds the data folder \(settings.dataFolder) but does not answer on \(path): \(failure). "
                    + "Is it starting or stopping? Try again, or name its folder with --data."
            )
        } catch is DecodingError {
            throw Exit.unavailable("The daemon on \(path) answers in words that this program does not know.")
        }
    }

    private static func accepted(_ reply: AdminReply) throws -> AdminReply {
        if case .fault(_, let message) = reply { throw Exit.refused(message) }
        return reply
    }
}
