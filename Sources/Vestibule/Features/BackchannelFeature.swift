import HTTPAPI
import Kernel
import Logging
import OAuth
import Operations
import Outbound
import Settings
import SignIn
import Storage
import Tokens
import Upstreams

/// All that backchannel requests need beside their operations: where they are kept and found, and how clients are told.
struct BackchannelFeature: Sendable {
    let service: BackchannelService
    let tickets: BackchannelTickets
    /// Used-up signed requests.
    let memory: AssertionMemory
    private let http: OutboundHTTP

    init(_ core: CoreFeature) {
        let (settings, environment) = (core.settings, core.environment)
        service = BackchannelService(
            environment: environment,
            store: SQLiteBackchannelStore(core.store.database),
            encryptor: core.secrets.encryptor,
            policy: settings.oauth.backchannel
        )
        tickets = BackchannelTickets(key: core.secrets.folder.derivedKey(.backchannelTicket))
        memory = AssertionMemory(environment: environment)
        http = OutboundHTTP(OutboundLimits(connectionsPerHost: 8), clock: environment.clock)
    }

    var sender: HTTPBackchannelSender { HTTPBackchannelSender(http) }

    func shutdown() async { await http.shutdown() }
}

extension PublicAPI {
    /// `POST /oauth/bc-authorize`.
    func backchannelRoutes(_ settings: Settings, _ clients: ClientReader) -> [Route] {
        BackchannelAPI(
            clients: clients,
            reader: BackchannelRequestReader(
                issuer: settings.issuer,
                policy: settings.oauth.backchannel,
                hints: IdentityHints(verifier: verifier(settings), environment: composition.environment),
                memory: composition.backchannel.memory
            ),
            flow: backchannelFlow(settings),
            publicURL: settings.publicURL,
            environment: composition.environment
        ).routes
    }

    /// The grant of the token endpoint that belongs to it.
    func backchannelGrant(_ settings: Settings) -> CIBAGrant {
        CIBAGrant(
            requests: composition.backchannel.service,
            flow: backchannelFlow(settings),
            gate: dpop(settings),
            tokens: composition.tokens,
            clock: composition.environment.clock,
            drain: drain,
            isPaced: !settings.limits.off
        )
    }

    /// The worker that sends pings and pushes; runs beside the server.
    ///
    /// `sender`: sends in the place of the one that the feature has.
    func backchannelWorker(
        _ settings: Settings,
        _ clients: OAuthClientDirectory,
        sender: (any BackchannelSending)? = nil
    ) -> DeliveryWorker<NoticeDelivery> {
        let feature = composition.backchannel
        let delivery = NoticeDelivery(
            feature.service,
            unitOfWork: composition.unitOfWork,
            sender: sender ?? feature.sender,
            results: BackchannelPushes(flow: backchannelFlow(settings), tokens: composition.tokens, clients: clients),
            logger: composition.logger
        )
        return DeliveryWorker(delivery, policy: .notices, environment: composition.environment)
    }

    private func backchannelFlow(_ settings: Settings) -> BackchannelFlow {
        BackchannelFlow(
            service: composition.service,
            requests: composition.backchannel.service,
            door: composition.door,
            tickets: composition.backchannel.tickets
        )
    }
}
