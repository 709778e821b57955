/// The limits of one client.
package struct OutboundLimits: Sendable, Equatable {
    /// The time until a connection is open, TLS included, or one in use becomes free.
    package var connectTimeout: Duration
    /// Connections to one host at the same time; further requests wait for one.
    package var connectionsPerHost: Int
    /// How long an unused connection is kept.
    ///
    /// Shorter than servers commonly keep theirs, so that a request is seldom
    /// sent into a connection that the server is just closing.
    package var idleTimeout: Duration
    /// Whether a server's certificate has to be trusted and have its name; `false` for ``OwnServer`` alone.
    var verifiesCertificates = true

    package init(
        connectTimeout: Duration = .seconds(3),
        connectionsPerHost: Int = 8,
        idleTimeout: Duration = .seconds(20)
    ) {
        self.connectTimeout = connectTimeout
        self.connectionsPerHost = connectionsPerHost
        self.idleTimeout = idleTimeout
    }
}
