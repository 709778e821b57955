import Kernel
import Storage

extension Stores {
    /// The stores in the database that the config names.
    ///
    /// `migrating`: whether missing migrations of a SQLite file are run. Otherwise an older schema is refused, and so is
    /// that of a PostgreSQL database, which only ``migrate(_:environment:)`` changes: other programs may be using it.
    ///
    /// `keyMark`: the mark of the keys that belong to the database.
    ///
    /// `encryptor`: for the key that hides parts of ids, which only PostgreSQL has.
    ///
    /// - Throws: `StoreOpenError` or `PostgresOpenError`, whose message says what to do.
    static func open(
        _ options: StorageOptions,
        migrating: Bool,
        keyMark: Digest256,
        encryptor: any Encryptor,
        environment: Environment,
        observability: Observability
    ) throws -> Stores {
        guard let postgres = options.postgres else {
            return try .sqlite(
                options.sqlite,
                migrating: migrating,
                keyMark: keyMark,
                environment: environment,
                observability: observability
            )
        }
        return try .postgres(
            postgres,
            keyMark: keyMark,
            encryptor: encryptor,
            environment: environment,
            observability: observability
        )
    }

    /// Runs the missing migrations of the database and nothing else, and returns their names.
    static func migrate(_ options: StorageOptions, environment: Environment) throws -> [String] {
        if let postgres = options.postgres {
            let claim = try PostgresClaim(postgres, clock: environment.clock) { _ in }
            defer { claim.close() }
            return try PostgresDatabase.migrate(postgres, environment: environment)
        }
        let (database, applied) = try SQLiteDatabase.open(options.sqlite, migrating: true, at: environment.now())
        try database.close()
        return applied
    }
}
