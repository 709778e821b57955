package import Kernel
package import Logging
package import OAuth
import Outbound
import Settings
import SignIn
import Upstreams

/// Logout notices: the queue that each end of a session adds to, and the worker that tells the clients.
package struct LogoutFeature: Sendable {
    let notices: LogoutNotices
    private let endpoints: EndpointHTTP

    init(_ core: CoreFeature, _ directory: OAuthClientDirectory) {
        notices = LogoutNotices(
            directory: directory,
            store: core.stores.sessions.logouts,
            environment: core.environment
        )
        endpoints = EndpointHTTP(rule: core.settings.endpointAddresses, clock: core.environment.clock)
    }

    /// Returns the worker that sends logout tokens, which runs beside the server.
    ///
    /// `sender`: used instead of the feature's own sender.
    func worker(
        _ core: CoreFeature,
        _ tokens: TokenSet,
        sender: (any LogoutSending)? = nil
    ) -> DeliveryWorker<LogoutDelivery> {
        let delivery = LogoutDelivery(
            notices,
            unitOfWork: core.stores.unitOfWork,
            auditLog: core.audit.chain,
            sender: sender ?? HTTPLogoutSender(endpoints),
            clock: core.environment.clock,
            logger: core.observability.logger
        ) { notice, algorithm in try tokens.logout(notice, by: algorithm) }
        return DeliveryWorker(delivery, policy: .logouts, environment: core.environment)
    }
}

extension Composition {
    /// Reads the clients of the database, and then ends what is left of clients whose ending a crash has cut off.
    ///
    /// In this order, because only known clients are told of the end of their sessions.
    package func resumeEndings(_ logger: Logger) async throws {
        try await oauth.load(logger)
        try await ending.resume()
    }

    /// Returns the worker that tells clients of the end of their sessions.
    ///
    /// `sender`: used instead of the HTTP client.
    package func logoutWorker(sender: (any LogoutSending)? = nil) -> DeliveryWorker<LogoutDelivery> {
        oauth.logout.worker(core, tokens, sender: sender)
    }
}
