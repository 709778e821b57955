import Kernel

/// What a server and a role are like, as far as it decides whether they can be used.
struct PostgresServerState: Equatable, Sendable {
    /// The number of the version: 150018 for 15.18.
    let version: Int
    let versionName: String
    let encoding: String
    let isReadOnly: Bool
    let predicateLocks: Int
    let commits: Commits
    /// The number of connected standbys, and whether the server waits for one of them.
    let standbys: Int
    let waitsForStandbys: Bool

    /// How durable a commit is.
    struct Commits: Equatable, Sendable {
        let synchronousCommit: String
        /// Whether what the server writes reaches the disk.
        let syncsLog: Bool
    }

    /// The reason why the server can't be used, or `nil`.
    var refusal: PostgresOpenError.Reason? {
        if version < 140_000 { return .outdated(version: versionName) }
        if encoding != "UTF8" { return .encoding(encoding) }
        if isReadOnly { return .readOnly }
        return predicateLocks < 256 ? .predicateLocks(predicateLocks) : nil
    }

    /// What an operator should know before something is lost.
    var warnings: [PostgresWarning] {
        let unsynced: [PostgresWarning] = commits.syncsLog ? [] : [.logIsNotSynced]
        if commits.synchronousCommit == "off" { return unsynced + [.commitsAreNotSynced] }
        guard standbys > 0, !waitsForStandbys || commits.synchronousCommit == "local" else { return unsynced }
        return unsynced + [.failoverForgets]
    }
}

extension PostgresServerState {
    /// Asks the server.
    init(_ connection: SQLConnection) throws {
        let state = try connection.first(
            """
            SELECT CAST(current_setting('server_version_num') AS BIGINT) AS version,
                current_setting('server_version') AS version_name,
                current_setting('server_encoding') AS encoding,
                CASE WHEN pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'
                    THEN 1 ELSE 0 END AS is_read_only,
                CAST(current_setting('max_pred_locks_per_transaction') AS BIGINT) AS predicate_locks,
                current_setting('synchronous_commit') AS synchronous_commit,
                CASE WHEN current_setting('fsync') = 'on' THEN 1 ELSE 0 END AS syncs_log,
                (SELECT COUNT(*) FROM pg_stat_replication) AS standbys,
                CASE WHEN current_setting('synchronous_standby_names') = '' THEN 0 ELSE 1 END AS waits
            """,
            read: Self.init(columns:)
        )
        guard let state else { throw StoreError.corrupt(cause: "the server does not tell its settings") }
        self = state
    }

    private init(columns: inout ColumnReader) throws {
        version = try columns.count("version")
        versionName = try columns.text("version_name")
        encoding = try columns.text("encoding")
        isReadOnly = try columns.flag("is_read_only")
        predicateLocks = try columns.count("predicate_locks")
        commits = Commits(
            synchronousCommit: try columns.text("synchronous_commit"),
            syncsLog: try columns.flag("syncs_log")
        )
        standbys = try columns.count("standbys")
        waitsForStandbys = try columns.flag("waits")
    }
}

/// A setting of the server with which an acknowledged login can be lost.
package enum PostgresWarning: Sendable, CaseIterable {
    /// A crash of the server's machine loses the last commits, or the whole database.
    case logIsNotSynced
    /// A crash of the server forgets the last commits.
    case commitsAreNotSynced
    /// A failover to a standby forgets the last commits.
    case failoverForgets

    package var message: String {
        switch self {
        case .logIsNotSynced:
            "fsync is off: a crash of the PostgreSQL server's machine loses logins that were acknowledged, or the whole "
                + "database. Set it to on."
        case .commitsAreNotSynced:
            "synchronous_commit is off: a crash of the PostgreSQL server forgets logins that were acknowledged. Set it to "
                + "on for the role or the server."
        case .failoverForgets:
            "No standby is synchronous: a failover of the PostgreSQL server forgets logins that were acknowledged. Name "
                + "one in synchronous_standby_names, with synchronous_commit = on."
        }
    }
}
