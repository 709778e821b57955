import Kernel
import Logging
import OAuth
import Outbound
import Settings
import Tokens
import Upstreams

/// The broker and its upstreams, over one HTTP client.
struct UpstreamRegistry: Sendable {
    /// The upstreams, by the names that the operator chose.
    let upstreams: [String: Upstream]
    let service: BrokerService
    private let http: OutboundHTTP

    /// Returns `nil` where the config names no upstream; `callback`: the URL to which upstreams send browsers back.
    init?(
        _ settings: Settings,
        callback: String,
        keyFolder: KeyFolder,
        marks: UsedMarks,
        environment: Environment,
        logger: Logger
    ) {
        guard !settings.upstreams.isEmpty else { return nil }
        upstreams = settings.upstreams.mapValues(\.upstream)
        http = OutboundHTTP(OutboundLimits(connectionsPerHost: 64), clock: environment.clock)
        let gateway = HTTPUpstreamGateway(http)
        service = BrokerService(
            gateway: gateway,
            tickets: BrokerTickets(
                key: keyFolder.derivedDigest(.brokerTicket),
                environment: environment,
                marks: marks
            ),
            people: UserInfoCache(gateway, clock: environment.clock),
            callback: callback,
            issuer: settings.issuer,
            environment: environment,
            logger: logger
        )
    }

    func shutdown() async { await http.shutdown() }
}
