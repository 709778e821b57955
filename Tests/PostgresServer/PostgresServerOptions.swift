import Glibc

/// How a server of the tests is set up.
package struct PostgresServerOptions: Sendable {
    /// Whether commits reach the disk, as in production.
    ///
    /// Otherwise the data is in memory, where it can be (`/dev/shm`), for a
    /// database is then copied in 30 ms: on a busy disk it takes half a second.
    package var isDurable: Bool
    /// More settings of `postgresql.conf`, which win over the usual ones.
    package var more: [String: String]

    package init(isDurable: Bool = false, more: [String: String] = [:]) {
        (self.isDurable, self.more) = (isDurable, more)
    }

    /// The folder to make the server's in.
    var place: String {
        var space = statvfs()
        let memory = "/dev/shm"
        guard !isDurable, access(memory, W_OK) == 0, statvfs(memory, &space) == 0 else { return "/tmp" }
        // In a container it is often of 64 MiB.
        return UInt(space.f_bavail) * UInt(space.f_frsize) >= 2 << 30 ? memory : "/tmp"
    }

    /// All settings of a server in that folder.
    func settings(folder: String) -> [String: String] {
        var settings = [
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": folder,
            "max_connections": "200",
            // What the daemon asks for: the default promotes row locks of SERIALIZABLE to locks of whole tables.
            "max_pred_locks_per_transaction": "256",
            // Databases live for a second; a vacuum would hold a template when it is to be copied.
            "autovacuum": "off",
            "timezone": "UTC",
            "max_wal_size": "128MB",
        ]
        if !isDurable {
            for name in ["fsync", "synchronous_commit", "full_page_writes"] { settings[name] = "off" }
        }
        return settings.merging(more) { $1 }
    }
}
