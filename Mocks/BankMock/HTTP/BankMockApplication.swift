package import Hummingbird
package import Logging
import MockServing
package import NIOCore

/// Builds the mock's server over `backend`, which a test keeps to look at and to steer.
///
/// Port 0 picks a free one; `onListening` gets the channel once it listens.
package func makeBankMock(
    backend: BankMockBackend,
    host: String = "127.0.0.1",
    port: Int = 0,
    logger: Logger = Logger(label: "bank-mock"),
    onListening: @escaping @Sendable (any Channel) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let router = Router(context: MockContext.self)
    let gate = BankGate(backend: backend)
    BankSignInRoutes(backend: backend, gate: gate).add(to: router)
    BankTokenRoutes(backend: backend, gate: gate).add(to: router)
    BankCardRoutes(backend: backend, gate: gate).add(to: router)
    BankControl(backend: backend).add(to: router)
    return Application(
        router: router,
        server: .http1(configuration: .init(idleTimeout: .seconds(120))),
        configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: 1024),
        onServerRunning: onListening,
        logger: logger
    )
}
