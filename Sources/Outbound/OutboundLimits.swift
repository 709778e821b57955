/// What one client allows itself.
package struct OutboundLimits: Sendable, Equatable {
    /// Until a connection stands, TLS included, or one of those in use comes free.
    package var connectTimeout: Duration
    /// Connections to one host at the same time; further requests wait for one.
    package var connectionsPerHost: Int
    /// How long an unused connection is kept.
    ///
    /// Shorter than servers commonly keep theirs, so that a request is seldom
    /// sent into a connection that the server is just closing.
    package var idleTimeout: Duration

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
