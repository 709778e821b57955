import Kernel
import Storage

extension Stores {
    /// The stores in the SQLite file that the config names.
    ///
    /// `migrating`: whether missing migrations are run. Otherwise an older schema is refused.
    ///
    /// - Throws: `StoreOpenError`, whose message says what to do.
    static func sqlite(
        _ options: SQLiteDatabase.Options,
        _ use: DatabaseUse,
        migrating: Bool,
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
        try database.keep(keyMark: use.keyMark, at: environment.now())
        let health = observability.storeHealth
        database.whenDamaged(health.noteDamage)
        let unitOfWork = SQLiteUnitOfWork(database, onCommit: health.note)
        return Stores(
            database,
            unitOfWork: unitOfWork,
            upkeep: SQLiteUpkeep(
                database: database,
                unitOfWork: unitOfWork,
                node: LocalNode(use.description, now: environment.now)
            )
        )
    }
}

/// Maintenance of the SQLite file.
struct SQLiteUpkeep: StoreUpkeep {
    let database: SQLiteDatabase
    let unitOfWork: SQLiteUnitOfWork
    let node: LocalNode

    var nodes: any NodeMembership { node }

    var registry: any NodeRegistry { node }

    var encryptedRows: (any EncryptedRows)? { SQLEncryptedRows(database) }

    var fileSizes: (database: Int64, log: Int64)? { database.fileSizes }

    func noteServing() { node.noteServing() }

    func checkDurable() async throws { try await unitOfWork.checkDurable() }

    func purge(of kind: ExpiringRowKind) -> Purge { SQLExpiringRows(kind).purge }

    func close() throws { try database.close() }
}
