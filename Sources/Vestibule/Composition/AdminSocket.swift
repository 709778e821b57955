import Glibc
import HTTPAPI
import Hummingbird
import Logging
import ServiceLifecycle

/// The administration's Unix socket: mode 0600, in the data folder, gone when the daemon is.
struct AdminSocket: Service {
    /// `sun_path` of unix(7), less the closing zero.
    private static let longestPath = 107

    private let path: String
    private let application: Application<RouterResponder<AdminContext>>

    init(_ administration: Administration, path: String, logger: Logger) {
        self.path = path
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .notice)
        application = Application(
            responder: AdminRoute.router(administration, logger: logger).buildResponder(),
            configuration: .init(address: .unixDomainSocket(path: path)),
            onServerRunning: { _ in chmod(path, 0o600) },
            logger: quiet
        )
    }

    func run() async throws {
        guard path.utf8.count <= Self.longestPath else {
            throw Exit.storage(
                "The path of the admin socket, \(path), is longer than \(Self.longestPath) bytes. "
                    + "Set listen.adminSocket to a shorter one."
            )
        }
        // What a killed daemon left behind; the lock on the data folder says that none is alive.
        unlink(path)
        defer { unlink(path) }
        try await application.run()
    }
}
