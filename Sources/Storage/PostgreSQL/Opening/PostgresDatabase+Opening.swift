package import Kernel

extension PostgresDatabase {
    /// Checks the server and the schema, and opens the connections.
    ///
    /// `migrating`: whether missing migrations are run, which only `vestibule migrate` may do: other daemons may be
    /// running on the database. Otherwise an older schema is refused.
    ///
    /// `metrics`: `nil` measures nothing.
    ///
    /// - Throws: ``PostgresOpenError``, whose message says what to do.
    package static func open(
        _ options: PostgresOptions,
        migrating: Bool,
        environment: Environment,
        metrics: StoreMetrics? = nil
    ) throws(PostgresOpenError) -> (database: PostgresDatabase, applied: [String]) {
        let opening = PostgresOpening(options: options, clock: environment.clock)
        let applied = try opening.prepare(migrating: migrating, at: environment.now())
        return (PostgresDatabase(options, environment: environment, metrics: metrics), applied)
    }

    /// Checks the server and the schema, and changes nothing.
    ///
    /// - Throws: ``PostgresOpenError``, whose message says what to do.
    package static func check(_ options: PostgresOptions, environment: Environment) throws(PostgresOpenError) {
        _ = try PostgresOpening(options: options, clock: environment.clock)
            .prepare(migrating: false, at: environment.now())
    }

    /// Opens the connections to a database that was checked.
    ///
    /// `environment`: With the form of the database's ids.
    ///
    /// `slot`: This daemon's slot, by which its audit chains are told from those of others.
    ///
    /// `metrics`: `nil` measures nothing.
    package static func connect(
        _ options: PostgresOptions,
        environment: Environment,
        slot: Int = 0,
        metrics: StoreMetrics? = nil
    ) -> PostgresDatabase {
        PostgresDatabase(options, environment: environment, slot: slot, metrics: metrics)
    }

    /// Checks the server, runs the missing migrations and nothing else, and returns their names.
    ///
    /// - Throws: ``PostgresOpenError``, whose message says what to do.
    package static func migrate(
        _ options: PostgresOptions,
        environment: Environment
    ) throws(PostgresOpenError) -> [String] {
        try PostgresOpening(options: options, clock: environment.clock)
            .prepare(migrating: true, at: environment.now())
    }
}
