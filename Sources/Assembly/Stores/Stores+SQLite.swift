import Kernel
import Storage

extension Stores {
    /// The stores in the SQLite file that the config names.
    ///
    /// `migrating`: whether missing migrations are run. Otherwise an older schema is refused.
    ///
    /// `keyMark`: the mark of the keys that belong to the database.
    ///
    /// - Throws: `StoreOpenError`, whose message says what to do.
    static func sqlite(
        _ options: SQLiteDatabase.Options,
        migrating: Bool,
        keyMark: Digest256,
        environment: Environment,
        observability: Observability
    ) throws -> Stores {
        let database = try SQLiteDatabase.open(
            options,
            migrating: migrating,
            at: environment.now(),
            metrics: observability.metrics.map { StoreMetrics($0, clock: environment.clock) }
        ).database
        // A database from before the marks gets the mark of the keys beside it, which have made its audit, if there is
        // one.
        try database.keep(keyMark: keyMark, at: environment.now())
        let health = observability.storeHealth
        database.whenDamaged(health.noteDamage)
        let unitOfWork = SQLiteUnitOfWork(database, onCommit: health.note)
        return Stores(
            database,
            unitOfWork: unitOfWork,
            upkeep: SQLiteUpkeep(database: database, unitOfWork: unitOfWork)
        )
    }
}

/// Maintenance of the SQLite file.
struct SQLiteUpkeep: StoreUpkeep {
    let database: SQLiteDatabase
    let unitOfWork: SQLiteUnitOfWork

    var encryptedRows: (any EncryptedRows)? { SQLEncryptedRows(database) }

    var fileSizes: (database: Int64, log: Int64)? { database.fileSizes }

    func checkDurable() async throws { try await unitOfWork.checkDurable() }

    func purge(of kind: ExpiringRowKind) -> Purge { SQLExpiringRows(kind).purge }

    func close() throws { try database.close() }
}
