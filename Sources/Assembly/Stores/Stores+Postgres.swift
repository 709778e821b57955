import Kernel
import Storage

extension Stores {
    /// The stores in the PostgreSQL database that the config names, whose schema must have been migrated.
    ///
    /// `keyMark`: the mark of the keys that belong to the database.
    ///
    /// - Throws: `PostgresOpenError`, whose message says what to do.
    static func postgres(
        _ options: PostgresOptions,
        keyMark: Digest256,
        environment: Environment,
        observability: Observability
    ) throws -> Stores {
        let health = observability.storeHealth
        let database = try PostgresDatabase.open(
            options,
            migrating: false,
            environment: environment,
            metrics: observability.metrics.map { StoreMetrics($0, clock: environment.clock) }
        ).database
        do {
            try PostgresDatabase.keep(keyMark: keyMark, in: options, environment: environment)
            try PostgresDatabase.warnings(options, clock: environment.clock).forEach(health.noteForgetful)
        } catch {
            database.close()
            throw error
        }
        let unitOfWork = PostgresUnitOfWork(database, onCommit: health.note)
        return Stores(
            database,
            unitOfWork: unitOfWork,
            upkeep: PostgresUpkeep(database: database, unitOfWork: unitOfWork)
        )
    }
}

/// Maintenance of the PostgreSQL database.
struct PostgresUpkeep: StoreUpkeep {
    let database: PostgresDatabase
    let unitOfWork: PostgresUnitOfWork

    var encryptedRows: (any EncryptedRows)? { SQLEncryptedRows(database) }

    /// The server's own monitoring has its sizes.
    var fileSizes: (database: Int64, log: Int64)? { nil }

    func checkDurable() async throws { try await unitOfWork.checkDurable() }

    func purge(of kind: ExpiringRowKind) -> Purge { SQLExpiringRows(kind).purge }

    func close() { database.close() }
}
