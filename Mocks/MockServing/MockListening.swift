package import Hummingbird
package import Logging
package import NIOCore

/// Where a mock listens, and who is told of it.
package struct MockListening: Sendable {
    private let host: String
    private let port: Int
    private let logger: Logger
    private let onListening: @Sendable (any Channel) async -> Void

    /// Port 0 picks a free one; `onListening` gets the channel once it listens.
    package init(
        host: String = "127.0.0.1",
        port: Int = 0,
        logger: Logger,
        onListening: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.logger = logger
        self.onListening = onListening
    }

    /// The server of `router` there.
    package func application(of router: Router<MockContext>) -> some ApplicationProtocol {
        Application(
            router: router,
            server: .http1(configuration: .init(idleTimeout: .seconds(120))),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: 1024),
            onServerRunning: onListening,
            logger: logger
        )
    }
}
