/// Where the server listens, and how many connections it keeps.
struct ListenSettings: Sendable, Equatable {
    /// An address or a host name, without brackets.
    var host = "127.0.0.1"
    /// 0 lets the system pick a free one.
    var port = 8080
    /// Connections that the kernel holds before they are accepted (`listen(2)`).
    var backlog = 4096
    var maxConnections = 20_000
    /// Of one address, or of the /64 of an IPv6 one; trusted proxies have as many as there are.
    var maxConnectionsPerAddress = 256
    var idleTimeout: Duration = .seconds(75)
    /// From the signal to stop until new connections are refused: `/readyz` says 503 meanwhile.
    var drainNotice: Duration
    /// From then until open requests, and requests of ours to banks, are cut off.
    var drainTimeout: Duration = .seconds(20)
    /// Whether a proxy in front ends TLS, so that plain HTTP may leave this host.
    var behindProxy = false
    /// Proxies that are believed about where a request comes from: addresses, or blocks of them.
    var trustedProxies: [String] = []
    /// Web pages of these origins may call this server with cookies, and read its answers.
    var corsOrigins: [String] = []
    /// The Unix socket of the administration commands.
    var adminSocket: String

    /// - Parameters:
    ///   - dataFolder: An absolute path without a trailing slash.
    ///   - mode: Says whether a load balancer is likely to stand in front.
    init(dataFolder: String, mode: Settings.Mode = .laptop) {
        adminSocket = dataFolder + "/vestibule.sock"
        drainNotice =
            switch mode {
            case .laptop: .zero
            case .production: .seconds(5)
            }
    }

    /// Whether only this machine can connect.
    var isLoopback: Bool { Loopback.contains(host: host) }
}

/// The certificate chain and the private key, both PEM.
struct TLSSettings: Sendable, Equatable {
    var certificate = ""
    var key = ""
}
