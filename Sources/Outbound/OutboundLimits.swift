/// The limits of one client.
package struct OutboundLimits: Sendable, Equatable {
    /// The longest wait for a connection: until a new one is open, TLS included, or one in use becomes free.
    package var connectTimeout: Duration
    /// Connections to one host at the same time: further requests wait for one.
    package var connectionsPerHost: Int
    /// The time for which an unused connection is kept.
    ///
    /// It is shorter than the usual time of servers. So a request is seldom sent on a connection that the server is
    /// closing.
    package var idleTimeout: Duration
    /// Whether a server's certificate must be trusted and carry the server's name; `false` only for ``OwnServer``.
    var verifiesCertificates = true
    /// The only address that may be connected to; `nil` where the library looks the host up.
    var pinned: PinnedAddress?

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
