package import Kernel
package import Logging

/// Mediates between public clients and an authorization server that requires a client secret.
///
/// An app signs in at this server, which redirects the browser to the upstream with its own `state`. The browser comes back
/// here, and is redirected to the app with a code of this server. The app's code challenge binds that code, even where the
/// upstream supports none. The upstream's code is redeemed when the app redeems this one; no token is stored here.
///
/// The app's request and its authentication are checked before: see ``AuthorizationRequest`` and ``AuthenticatedClient``.
package struct BrokerService: Sendable {
    /// The time from the redirect to the upstream until the browser is back.
    static let redirectLifetime: Duration = .seconds(600)
    /// The time from the callback to the redemption (RFC 6749 §4.1.2 allows ten minutes; an app takes a second).
    static let codeLifetime: Duration = .seconds(60)
    /// The prefix of this server's codes, which tells them from the upstream's.
    static let codePrefix = "vbc_"

    let gateway: any UpstreamGateway
    let tickets: BrokerTickets
    let people: UserInfoCache
    let callback: String
    let issuer: String
    let environment: Environment
    let logger: Logger

    /// `callback` is the address of this server that upstreams redirect browsers back to, and `issuer` is the issuer
    /// in answers to apps (RFC 9207).
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

    /// Logs an upstream's name and its fault for the operator, never the data that was sent.
    func warn(_ upstream: Upstream, at call: String, cause: String) {
        logger.warning(
            "an upstream fails: check its address and its status",
            metadata: ["upstream": "\(upstream.name)", "at": "\(call)", "cause": "\(cause)"]
        )
    }
}
