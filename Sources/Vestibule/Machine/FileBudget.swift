import FaceProviders
import HTTPAPI
import Outbound
import Settings
import Storage

/// The number of files that the daemon opens in addition to its clients' connections, for a config.
///
/// If files run out, the library that runs all tasks ends the process (``SpareFiles``).
struct FileBudget: Equatable, Sendable {
    /// A part of the daemon that needs files, and the number of files.
    struct Share: Equatable, Sendable {
        let name: String
        let files: Int
    }

    /// The smallest number of connections with which a daemon is started.
    static let fewest = 16
    /// The number of connections to the metrics port, and to the admin socket.
    static let sideConnections = 16

    let shares: [Share]

    /// `cores`: the number of cores, which is the number of event loops.
    init(_ settings: Settings, cores: Int) {
        var shares = [
            // Standard streams, the lock, signals, timers, listeners, name look-ups, and the spare files.
            Share(name: "the process", files: 20 + 3 * cores + 2 * SpareFiles.count),
            Share(name: "the database", files: Self.files(settings.storage)),
            Share(name: "keys, certificates and other files", files: 8),
            Share(name: "the admin socket", files: Self.sideConnections),
            Share(name: "notices to clients", files: 16),
            Share(name: "mail", files: settings.mail.smtp == nil ? 4 : 24),
        ]
        if settings.metrics.enabled { shares.append(Share(name: "metrics", files: Self.sideConnections)) }
        for (name, provider) in settings.providers {
            shares.append(Share(name: "provider \(name)", files: provider.outboundLimits.connectionsPerHost))
        }
        if !settings.upstreams.isEmpty { shares.append(Share(name: "upstreams", files: 64)) }
        if !settings.banks.isEmpty { shares.append(Share(name: "banks", files: 32 * settings.banks.count)) }
        self.shares = shares.sorted { ($1.files, $0.name) < ($0.files, $1.name) }
    }

    private static func files(_ storage: StorageOptions) -> Int {
        // A writer and four readers with their logs, the index of the log, statement journals, and checkpoints.
        guard let postgres = storage.postgres else { return 12 }
        // Each connection, while connecting also to the next host or with a certificate open, those of the lock, the
        // lease, the messages with their wake-up, the checkpoints and the keys, and the file of checkpoints.
        return postgres.poolSize + 20
    }

    var total: Int { shares.reduce(0) { $0 + $1.files } }

    /// Returns the number of connections that fit under a limit, or `nil` if it is below both ``fewest`` and `wanted`.
    func connections(upTo wanted: Int, in limit: Int) -> Int? {
        let connections = min(wanted, limit - total)
        return connections < min(wanted, Self.fewest) ? nil : connections
    }
}
