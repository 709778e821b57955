/// The address that the server listens on, and its connections.
package struct ListenSettings: Sendable, Equatable {
    /// An address or a host name, without brackets.
    package var host = "127.0.0.1"
    /// 0: the system picks a free port.
    package var port = 8080
    package var connections = ConnectionSettings()
    package var drain: DrainSettings
    /// Whether a proxy in front terminates TLS, so that plain HTTP may leave this machine.
    package var behindProxy = false
    /// Proxies that are trusted to report client addresses: addresses, or blocks of them.
    package var trustedProxies: [String] = []
    /// Origins of web pages that may call this server with cookies and read its answers.
    package var corsOrigins: [String] = []
    package var admin: AdminSettings

    /// - Parameters:
    ///   - dataFolder: An absolute path without a trailing slash.
    ///   - mode: The mode whose defaults are used. In production a load balancer is likely to be in front.
    package init(dataFolder: String, mode: Settings.Mode = .laptop) {
        admin = AdminSettings(socket: dataFolder + "/vestibule.sock")
        drain =
            switch mode {
            case .laptop: DrainSettings(notice: .zero)
            case .production: DrainSettings(notice: .seconds(5))
            }
    }

    /// Whether only programs on this machine can connect.
    package var isLoopback: Bool { Loopback.contains(host: host) }
}

/// The administration's socket, and who besides the daemon's user and root may use it.
package struct AdminSettings: Sendable, Equatable {
    /// The Unix socket of the administration commands.
    package var socket: String
    /// The group of this machine whose members may run the commands that read; `nil` for none.
    package var readGroup: String?
}

/// The limits of the server's connections.
package struct ConnectionSettings: Sendable, Equatable {
    /// Connections that the kernel queues until they are accepted (`listen(2)`).
    package var backlog = 4096
    package var most = 20_000
    /// The number of connections of one address, or of one /64 of IPv6, except for trusted proxies.
    package var mostPerAddress = 256
    package var idleTimeout: Duration = .seconds(75)
}

/// The durations of a shutdown.
package struct DrainSettings: Sendable, Equatable {
    /// The time from the stop signal until new connections are refused, while `/readyz` answers 503.
    package var notice: Duration
    /// The time after that until open requests, and this server's requests to banks, are aborted.
    package var timeout: Duration = .seconds(20)
}

extension SettingsSchema {
    static let listen = SettingSection<ListenSettings>([
        .value("host", \.host, as: .host, help: "The address. Any address but loopback needs tls or behindProxy."),
        .value("port", \.port, as: .integer(0...65_535), help: "The TCP port. With 0 the system picks a free one."),
        .value(
            "backlog",
            \.connections.backlog,
            as: .integer(1...65_535),
            help: "Connections that wait to be accepted."
        ),
        .value(
            "maxConnections",
            \.connections.most,
            as: .integer(1...1_000_000),
            help: "Connections open at one time."
        ),
        .value(
            "maxConnectionsPerAddress",
            \.connections.mostPerAddress,
            as: .integer(1...1_000_000),
            help:
                "Connections of one address, or of an IPv6 /64. Trusted proxies are exempt, and limits.off removes the limit."
        ),
        .value(
            "idleTimeout",
            \.connections.idleTimeout,
            as: .duration(.seconds(1)...(.seconds(3600))),
            help: "The time until a connection that sends or reads nothing is closed. For bodies it is at most 15 s."
        ),
        .value(
            "drainNotice",
            \.drain.notice,
            as: .duration(.zero...(.seconds(120))),
            help:
                "How long a stop still serves requests while /readyz says 503, for load balancers. By default 5s in production, otherwise 0s."
        ),
        .value(
            "drainTimeout",
            \.drain.timeout,
            as: .duration(.zero...(.seconds(600))),
            help: "How long a stop then waits for open requests, and for requests to banks."
        ),
        .value(
            "behindProxy",
            \.behindProxy,
            as: .flag,
            help: "A proxy in front ends TLS, so plain HTTP may leave this host."
        ),
        .list(
            "trustedProxies",
            \.trustedProxies,
            as: .addressBlock("your proxies"),
            help:
                "Proxies, as addresses or blocks, that are trusted to name the client in Forwarded or X-Forwarded-For. Each must set one of these headers, or a client could."
        ),
        .list(
            "corsOrigins",
            \.corsOrigins,
            as: .webOrigin,
            help:
                "Browser apps that may call this server with cookies and read its answers, each by its exact origin, as browsers send it."
        ),
        .value("adminSocket", \.admin.socket, as: .path, help: "The Unix socket of the administration commands."),
        .value(
            "adminReadGroup",
            \.admin.readGroup,
            as: SettingRule<String>.text.optional,
            help:
                "A group of this machine, by name or number, whose members may run the commands that only read. The daemon's user has to be in it, and adminSocket in a folder that the group may enter.",
            example: "vestibule-readers"
        ),
    ])
}
