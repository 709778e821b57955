import Admin
import Glibc
import HTTPAPI
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The Unix socket of the administration: mode 0600, in the data folder, removed when the daemon stops.
struct AdminSocket: Service {
    private static let silence = TimeAmount.seconds(75)

    private let file: SocketFile
    private let bound = Bound()
    private let application: Application<RouterResponder<AdminContext>>

    init(_ services: AdminServices, path: String, logger: Logger) {
        let file = SocketFile(path: path)
        self.file = file
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .notice)
        application = Application(
            responder: AdminRoute.router(services, logger: logger).buildResponder(),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: ConnectionHandlers.make(silence: Self.silence, needsHost: false),
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
                chmod(path, 0o600)
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

    /// The socket file that this daemon created.
    private final class Bound: Sendable {
        let identity = Mutex<SocketFile.Identity?>(nil)
    }
}
