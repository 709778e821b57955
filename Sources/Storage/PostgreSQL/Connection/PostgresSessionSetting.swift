import Kernel

/// A setting of each session (PostgreSQL 15, §20).
struct PostgresSessionSetting: Equatable {
    let name: String
    let value: String

    /// Returns the settings for a server of a version, 150018 for 15.18.
    static func all(_ options: PostgresOptions, serverVersion: Int32) -> [PostgresSessionSetting] {
        let deadline = options.deadline.wholeMilliseconds
        var settings = [
            // A sequential scan of a serializable transaction locks the whole table.
            ("enable_seqscan", "off"),
            // A sequential scan that is needed all the same counts as dear for that, and would be compiled for 100 ms (§32.1).
            ("jit", "off"),
            ("TimeZone", "UTC"),
            // Shorter than the deadline here, so that a server that answers keeps its connection.
            ("statement_timeout", "\(max(1, deadline * 9 / 10))ms"),
            ("lock_timeout", "\(max(1, deadline / 2))ms"),
            // A transaction whose daemon has stopped holds no locks for ever.
            ("idle_in_transaction_session_timeout", "\(max(1000, deadline * 2))ms"),
            // The server notices within half a minute, instead of two hours, that the network or this machine is gone.
            ("tcp_keepalives_idle", "10"), ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3"),
            // While an answer is not acknowledged, keepalives are not sent.
            ("tcp_user_timeout", "25000"),
        ]
        // A statement whose daemon is gone is cancelled.
        if serverVersion >= 140_000 { settings.append(("client_connection_check_interval", "1s")) }
        return settings.map { PostgresSessionSetting(name: $0.0, value: $0.1) }
    }
}
