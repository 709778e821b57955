import Kernel
import Logging
import OAuth
import Outbound
import Settings
import Tokens
import Upstreams

/// The broker and the upstreams that it stands before, over one HTTP client.
struct UpstreamRegistry: Sendable {
    /// The entries by the operator's name for each.
    let upstreams: [String: Upstream]
    let service: BrokerService
    private let http: OutboundHTTP

    /// `nil` where the config names none; `callback`: where they send browsers back to.
    init?(_ settings: Settings, callback: String, keyFolder: KeyFolder, environment: Environment, logger: Logger) {
        guard !settings.upstreams.isEmpty else { return nil }
        upstreams = settings.upstreams.mapValues(\.upstream)
        http = OutboundHTTP(OutboundLimits(connectionsPerHost: 64), clock: environment.clock)
        let gateway = HTTPUpstreamGateway(http)
        service = BrokerService(
            gateway: gateway,
            tickets: BrokerTickets(key: keyFolder.derivedDigest(.brokerTicket), environment: environment),
            people: UserInfoCache(gateway, clock: environment.clock),
            callback: callback,
            issuer: settings.issuer,
            environment: environment,
            logger: logger
        )
    }

    func shutdown() async { await http.shutdown() }
}
