package import Kernel
package import Logging

/// Mediates between public clients and an upstream: an authorization server that requires a client secret.
///
/// An app signs in at this server, which redirects the browser to the upstream with a `state` of its own. The upstream
/// redirects the browser back here, and this server redirects it to the app with a code of its own. That code is bound
/// to the app's code challenge, even if the upstream does not support one. The upstream's code is redeemed when the app
/// redeems the code of this server. No token is stored here.
///
/// Callers check the app's request and authentication first: see ``AuthorizationRequest`` and ``AuthenticatedClient``.
package struct BrokerService: Sendable {
    /// The time from the redirect to the upstream until the callback.
    static let redirectLifetime: Duration = .seconds(600)
    /// The time from the callback to the redemption.
    ///
    /// RFC 6749 §4.1.2 allows ten minutes, but an app takes a second.
    static let codeLifetime: Duration = .seconds(60)
    /// The prefix of the codes of this server, which distinguishes them from the upstream's codes.
    static let codePrefix = "vbc_"

    let gateway: any UpstreamGateway
    let tickets: BrokerTickets
    let people: UserInfoCache
    let callback: String
    let issuer: String
    let environment: Environment
    let logger: Logger

    /// `callback` is the address of this server to which upstreams redirect browsers.
    ///
    /// `issuer` is the issuer in answers to apps (RFC 9207).
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

    /// Logs an upstream's name and the cause of its failure for the operator, never the data that was sent.
    func warn(_ upstream: Upstream, at call: String, cause: String) {
        logger.warning(
            "an upstream fails: check its address and its status",
            metadata: ["upstream": "\(upstream.name)", "at": "\(call)", "cause": "\(cause)"]
        )
    }
}
