package import Kernel
package import Logging

/// Stands between apps that can keep no secret and an authorization server that wants one.
///
/// An app signs in at our address: the browser goes on to the upstream with a `state` of ours, comes back to us, and goes on
/// to the app with a code of ours, which the app's own code challenge binds even where the upstream knows none. The
/// upstream's code is redeemed when the app redeems ours; no token is kept here.
///
/// What the app may say about itself is decided before: see ``AuthorizationRequest`` and ``AuthenticatedClient``.
package struct BrokerService: Sendable {
    /// From the redirect to the upstream until the browser is back.
    static let redirectLifetime: Duration = .seconds(600)
    /// From the return to the redemption (RFC 6749 §4.1.2 allows ten minutes; an app takes a second).
    static let codeLifetime: Duration = .seconds(60)
    /// What the codes begin with, so that one of ours is never taken for one of the upstream's.
    static let codePrefix = "vbc_"

    let gateway: any UpstreamGateway
    let tickets: BrokerTickets
    let people: UserInfoCache
    let callback: String
    let issuer: String
    let environment: Environment
    let logger: Logger

    /// `callback`: our address that upstreams send browsers back to; `issuer`: our own, for what apps are told (RFC 9207).
    package init(
        gateway: any UpstreamGateway,
        tickets: BrokerTickets,
        people: UserInfoCache,
        callback: String,
        issuer: String,
        environment: Environment,
        logger: Logger
    ) {
        self.gateway = gateway
        self.tickets = tickets
        self.people = people
        self.callback = callback
        self.issuer = issuer
        self.environment = environment
        self.logger = logger
    }

    /// A line for the operator: the upstream's name and what is wrong, never what was sent.
    func warn(_ upstream: Upstream, at call: String, cause: String) {
        logger.warning(
            "an upstream fails",
            metadata: ["upstream": "\(upstream.name)", "at": "\(call)", "cause": "\(cause)"]
        )
    }
}
