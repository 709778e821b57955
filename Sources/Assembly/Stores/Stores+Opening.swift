import Kernel
import Storage

extension Stores {
    /// The stores in the database that the config names.
    ///
    /// `migrating`: whether missing migrations of a SQLite file are run. Otherwise an older schema is refused, and so is
    /// that of a PostgreSQL database, which only ``migrate(_:environment:)`` changes: other programs may be using it.
    ///
    /// `encryptor`: for the key that hides parts of ids, which only PostgreSQL has.
    ///
    /// - Throws: `StoreOpenError` or `PostgresOpenError`, whose message says what to do.
    static func open(
        _ options: StorageOptions,
        _ use: DatabaseUse,
        migrating: Bool,
        encryptor: any Encryptor,
        environment: Environment,
        observability: Observability
    ) throws -> Stores {
        guard let postgres = options.postgres else {
            return try .sqlite(
                options.sqlite,
                use,
                migrating: migrating,
                environment: environment,
                observability: observability
            )
        }
        return try .postgres(
            postgres,
            use,
            encryptor: encryptor,
            environment: environment,
            observability: observability
        )
    }

    /// Runs the missing migrations of the database and nothing else, and returns their names.
    static func migrate(_ options: StorageOptions, environment: Environment) throws -> [String] {
        if let postgres = options.postgres {
            // Rows must not be moved into it meanwhile.
            let claim = try PostgresClaim(.shared, postgres, clock: environment.clock) { _ in }
            defer { claim.close() }
            return try PostgresDatabase.migrate(postgres, environment: environment)
        }
        let (database, applied) = try SQLiteDatabase.open(options.sqlite, migrating: true, at: environment.now())
        try database.close()
        return applied
    }
}
