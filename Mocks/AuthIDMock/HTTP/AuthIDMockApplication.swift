import HTTPTypes
package import Hummingbird
package import Logging
import MockServing
package import NIOCore

/// Builds the mock's server over `backend`, which a test keeps to look at and to steer.
///
/// `onNote` hears of each step of the timeline. Port 0 picks a free one; `onListening` gets the channel once it listens, and `channel.localAddress?.port` is the port.
package func makeAuthIDMock(
    backend: MockBackend,
    host: String = "127.0.0.1",
    port: Int = 0,
    logger: Logger = Logger(label: "authid-mock"),
    onNote: @escaping @Sendable (TimelineNote) -> Void = { _ in },
    onListening: @escaping @Sendable (any Channel) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let router = Router(context: MockContext.self)
    let gate = ProviderGate(backend: backend)
    IdentityRoutes(backend: backend, gate: gate).add(to: router)
    AccountRoutes(backend: backend, gate: gate).add(to: router)
    ScanRoutes(backend: backend, gate: gate).add(to: router)
    ControlRoutes(backend: backend, sender: WebhookSender(backend: backend, logger: logger)).add(to: router)
    PageRoutes(backend: backend).add(to: router)
    MockIcon.add(to: router)
    return Application(
        router: router,
        server: .http1(
            configuration: .init(additionalChannelHandlers: [HeldConnectionHandler()], idleTimeout: .seconds(120))
        ),
        configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: 4096),
        services: [Clockwork(backend: backend, logger: logger, onNote: onNote)],
        onServerRunning: onListening,
        logger: logger
    )
}
