import Admin
import Glibc
import HTTPAPI
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The administration's Unix socket: mode 0600, in the data folder, gone when the daemon is.
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
                // Only a listener that is closed again has no place for it.
                try? await LastConnections.handOver(from: channel)
                chmod(path, 0o600)
                bound.identity.withLock { $0 = file.identity }
            },
            logger: quiet
        )
    }

    func run() async throws {
        // Again, as at the start: a database that is long in opening leaves room for another program.
        try file.clear()
        defer { if let identity = bound.identity.withLock({ $0 }) { file.remove(identity) } }
        do { try await application.run() } catch let fault as IOError {
            throw ExitError.storage(
                "The daemon cannot listen on the admin socket \(file.path): \(String(cString: strerror(fault.errnoCode))). "
                    + "Set listen.adminSocket to a path in a folder of this user."
            )
        }
    }

    /// The socket file that this daemon has made.
    private final class Bound: Sendable {
        let identity = Mutex<SocketFile.Identity?>(nil)
    }
}
