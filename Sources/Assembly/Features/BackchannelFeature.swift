import HTTPAPI
package import Kernel
import Logging
package import OAuth
import Operations
import Outbound
import Settings
import Tokens
import Upstreams

/// Backchannel requests, apart from their operations: their storage, their tickets, and the notification of clients.
package struct BackchannelFeature: Sendable {
    package let service: BackchannelService
    let tickets: BackchannelTickets
    /// The signed requests that were already used.
    let memory: AssertionMemory
    private let endpoints: EndpointHTTP

    init(_ core: CoreFeature) {
        let (settings, environment) = (core.settings, core.environment)
        service = BackchannelService(
            environment: environment,
            store: core.stores.oauth.backchannel,
            marks: core.stores.sessions.usedMarks,
            encryptor: core.secrets.encryptor,
            policy: settings.oauth.backchannel,
            isShared: core.stores.upkeep.nodes.isShared
        )
        tickets = BackchannelTickets(
            key: core.secrets.folder.derivedKey(.backchannelTicket),
            tagged: core.secrets.taggedIDs,
            ids: environment.ids
        )
        memory = AssertionMemory(environment: environment)
        endpoints = EndpointHTTP(rule: settings.endpointAddresses, clock: environment.clock)
    }

    /// Returns the worker that sends pings and pushes, which runs beside the server.
    ///
    /// `sender`: used instead of the feature's own sender.
    package func worker(
        _ core: CoreFeature,
        results: any BackchannelResults,
        sender: (any BackchannelSending)? = nil
    ) -> DeliveryWorker<NoticeDelivery> {
        let delivery = NoticeDelivery(
            service,
            unitOfWork: core.stores.unitOfWork,
            sender: sender ?? HTTPBackchannelSender(endpoints),
            results: results,
            logger: core.observability.logger
        )
        return DeliveryWorker(delivery, policy: .notices, environment: core.environment)
    }
}
