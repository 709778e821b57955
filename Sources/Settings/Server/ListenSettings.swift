/// The address that the server listens at, and the connections that it keeps.
package struct ListenSettings: Sendable, Equatable {
    /// An address or a host name, without brackets.
    package var host = "127.0.0.1"
    /// 0 lets the system pick a free one.
    package var port = 8080
    /// Connections that the kernel holds before they are accepted (`listen(2)`).
    package var backlog = 4096
    package var maxConnections = 20_000
    /// The connections of one address, or of the /64 of an IPv6 one; trusted proxies are not bounded.
    package var maxConnectionsPerAddress = 256
    package var idleTimeout: Duration = .seconds(75)
    /// The time from the signal to stop until new connections are refused; `/readyz` says 503 meanwhile.
    package var drainNotice: Duration
    /// The time from then until open requests, and this server's requests to banks, are cut off.
    package var drainTimeout: Duration = .seconds(20)
    /// Whether a proxy in front ends TLS, so that plain HTTP may leave this host.
    package var behindProxy = false
    /// Proxies that are believed about where a request comes from: addresses, or blocks of them.
    package var trustedProxies: [String] = []
    /// Web pages of these origins may call this server with cookies, and read its answers.
    package var corsOrigins: [String] = []
    /// The Unix socket of the administration commands.
    package var adminSocket: String

    /// - Parameters:
    ///   - dataFolder: An absolute path without a trailing slash.
    ///   - mode: Says whether a load balancer is likely to stand in front.
    package init(dataFolder: String, mode: Settings.Mode = .laptop) {
        adminSocket = dataFolder + "/vestibule.sock"
        drainNotice =
            switch mode {
            case .laptop: .zero
            case .production: .seconds(5)
            }
    }

    /// Whether only this machine can connect.
    package var isLoopback: Bool { Loopback.contains(host: host) }
}

/// The certificate chain and the private key, both PEM.
package struct TLSSettings: Sendable, Equatable {
    package var certificate = ""
    package var key = ""
}
