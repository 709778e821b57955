import Admin
import Glibc
import HTTPAPI
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Settings
import Synchronization

/// The Unix socket of the administration, removed when the daemon stops.
///
/// Its mode is 0600, or 0660 with `listen.adminReadGroup`. Then the group may connect, and the route decides what it may.
/// Its members together get half of the connections (``PeerConnections``).
struct AdminSocket: Service {
    private static let silence = TimeAmount.seconds(75)

    private let file: SocketFile
    private let bound = Bound()
    private let application: Application<RouterResponder<AdminContext>>

    /// - Throws: ``ExitError`` when the machine has no such group.
    init(_ services: AdminServices, _ settings: AdminSettings, logger: Logger) throws {
        let path = settings.socket
        let readers = try settings.readGroup.map { name throws(ExitError) in try GroupID.find(name) }
        let file = SocketFile(path: path)
        self.file = file
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .notice)
        let peers = PeerConnections(most: FileBudget.sideConnections, own: geteuid())
        application = Application(
            responder: AdminRoute.router(services, readers: readers, logger: logger).buildResponder(),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [PeerConnectionGate(peers)]
                        + ConnectionHandlers.make(silence: Self.silence, needsHost: false),
                    idleTimeout: Self.silence
                )
            ),
            configuration: .init(
                address: .unixDomainSocket(path: path),
                availableConnectionsDelegate: .maximum(FileBudget.sideConnections, logger: quiet)
            ),
            onServerRunning: { [bound] channel in
                // This fails only for a listener that is already closed.
                try? await LastConnections.handOver(from: channel)
                Self.open(path, to: readers, logger)
                bound.identity.withLock { $0 = file.identity }
            },
            logger: quiet
        )
    }

    func run() async throws {
        // Repeats the check at the start: while a database is slowly opened, another program could create a socket.
        try file.clear()
        defer { if let identity = bound.identity.withLock({ $0 }) { file.remove(identity) } }
        do { try await application.run() } catch let fault as IOError {
            throw ExitError.storage(
                "The daemon cannot listen on the admin socket \(file.path): \(String(cString: strerror(fault.errnoCode))). "
                    + "Set listen.adminSocket to a path in a folder of this user."
            )
        }
    }

    /// Lets the readers' group connect, or nobody but the daemon's user if that fails.
    private static func open(_ path: String, to readers: gid_t?, _ logger: Logger) {
        guard let readers else {
            chmod(path, 0o600)
            return
        }
        guard chown(path, uid_t.max, readers) == 0, chmod(path, 0o660) == 0 else {
            let cause = String(cString: strerror(errno))
            chmod(path, 0o600)
            return logger.error(
                "listen.adminReadGroup cannot use the admin socket: put the daemon's user into that group",
                metadata: ["cause": "\(cause)"]
            )
        }
    }

    /// The socket file that this daemon created.
    private final class Bound: Sendable {
        let identity = Mutex<SocketFile.Identity?>(nil)
    }
}
