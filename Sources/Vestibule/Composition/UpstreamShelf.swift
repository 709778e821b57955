import Kernel
import Logging
import OAuth
import Outbound
import Tokens
import Upstreams

/// The broker and the upstreams that it stands before, over one HTTP client.
struct UpstreamShelf: Sendable {
    /// By the operator's name for each.
    let upstreams: [String: Upstream]
    let desk: BrokerDesk
    private let http: OutboundHTTP

    /// `nil` where the config names none; `callback`: where they send browsers back to.
    init?(_ settings: Settings, callback: String, keyFolder: KeyFolder, facts: Facts, logger: Logger) {
        guard !settings.upstreams.isEmpty else { return nil }
        upstreams = Dictionary(
            settings.upstreams.map { ($0.key, Upstream($0.key, $0.value)) },
            uniquingKeysWith: { first, _ in first }
        )
        http = OutboundHTTP(OutboundLimits(connectionsPerHost: 64), clock: facts.clock)
        let gateway = HTTPUpstreamGateway(http)
        desk = BrokerDesk(
            gateway: gateway,
            tickets: BrokerTickets(key: keyFolder.derivedDigest(.brokerTicket), facts: facts),
            people: PersonDirectory(gateway, clock: facts.clock),
            callback: callback,
            issuer: settings.issuer,
            facts: facts,
            logger: logger
        )
    }

    func shutdown() async { await http.shutdown() }
}

extension Upstream {
    init(_ name: String, _ settings: UpstreamSettings) {
        let authentication: Authentication =
            switch settings.authentication {
            case .post: .post
            case .basic: .basic
            }
        self.init(
            name: name,
            issuer: settings.issuer,
            authorizeURL: settings.authorizeURL,
            tokenURL: settings.tokenURL,
            clientID: settings.clientID,
            clientSecret: settings.clientSecret,
            authentication: authentication,
            scopes: settings.scopes,
            takesCodeChallenge: settings.codeChallenge,
            resource: settings.resource,
            timeout: settings.timeout
        )
    }
}

extension UpstreamSettings {
    /// The checks have seen that lookup and data go together, and that the paths are some.
    fileprivate var resource: Upstream.Resource? {
        guard let lookup, let data, let person = lookup.path(lookup.person) else { return nil }
        return Upstream.Resource(
            lookup: PersonLookup(
                url: lookup.url,
                person: person,
                status: lookup.status.flatMap { lookup.path($0) },
                activeWords: lookup.active,
                audience: lookup.audience.flatMap { lookup.path($0) }
                    .map { PersonLookup.Audience(path: $0, client: clientID) },
                keepsFor: lookup.keepFor
            ),
            dataURL: data.url,
            dataKey: data.key
        )
    }
}
