package import Audit
package import Kernel

extension PostgresDatabase {
    /// Returns the newest rows of each chain of the node's audit, the last first.
    ///
    /// The database is not changed.
    ///
    /// - Returns: An empty list for a database that has no audit yet.
    /// - Throws: ``PostgresOpenError`` for a database that can't be read, so that its rows are unknown.
    package static func newestAudit(
        _ options: PostgresOptions,
        of node: String,
        limit: Int,
        clock: any MonotonicClock
    ) throws(PostgresOpenError) -> [AuditRow] {
        try lookIfMigrated(options, clock: clock) { reader in
            try SQLAuditStore.newestOfEachChain(of: node, limit: limit, in: reader)
        } ?? []
    }

    /// Checks the server, the rights of the role and the schema as an opening does, and changes nothing.
    ///
    /// - Returns: What an operator should know of the server's settings before something is lost.
    /// - Throws: ``PostgresOpenError`` for a database that a daemon would refuse.
    package static func inspect(
        _ options: PostgresOptions,
        environment: Environment
    ) throws(PostgresOpenError) -> [PostgresWarning] {
        let opening = PostgresOpening(options: options, clock: environment.clock)
        _ = try opening.prepare(migrating: false, at: environment.now())
        return try opening.warnings()
    }

    /// Returns what an operator should know of the server's settings before something is lost.
    ///
    /// The tables are not looked at.
    package static func warnings(
        _ options: PostgresOptions,
        clock: any MonotonicClock
    ) throws(PostgresOpenError) -> [PostgresWarning] {
        try PostgresOpening(options: options, clock: clock).warnings()
    }
}
