import Kernel
import Storage

extension Stores {
    /// The stores in the PostgreSQL database that the config names, whose schema must have been migrated.
    ///
    /// `keyMark`: the mark of the keys that belong to the database.
    ///
    /// `encryptor`: for the key that hides parts of ids, which only PostgreSQL has.
    ///
    /// - Throws: `PostgresOpenError` or ``UnusableFilesError``, whose message says what to do.
    static func postgres(
        _ options: PostgresOptions,
        keyMark: Digest256,
        encryptor: any Encryptor,
        environment: Environment,
        observability: Observability
    ) throws -> Stores {
        let health = observability.storeHealth
        // Comes before anything is written: only one process may write, for it remembers what it has read.
        let witness = options.comparesClocks ? DatabaseClock(environment, tell: health.noteSkew) : nil
        let claim = try PostgresClaim(options, clock: environment.clock, witness: witness, tell: health.noteClaim)
        do {
            try PostgresDatabase.check(options, environment: environment)
            let stored = try PostgresDatabase.keep(
                keyMark: keyMark,
                in: options,
                environment: environment
            )
            // Another first start with other keys may have come between the check of the keys and the claim.
            guard stored.matches(keyMark) else { throw KeyDatabasePairing.otherKeys(of: options) }
            let mask = try PostgresDatabase.idMask(of: options, encryptor: encryptor, environment: environment)
            try PostgresDatabase.warnings(options, clock: environment.clock).forEach(health.noteForgetful)
            let ids = IDForm.bucketed(mask)
            let database = PostgresDatabase.connect(
                options,
                environment: environment.making(ids),
                metrics: observability.metrics.map { StoreMetrics($0, clock: environment.clock) }
            )
            let unitOfWork = PostgresUnitOfWork(database, onCommit: health.note)
            return Stores(
                database,
                unitOfWork: unitOfWork,
                upkeep: PostgresUpkeep(
                    database: database,
                    unitOfWork: unitOfWork,
                    claim: claim,
                    ids: ids,
                    databaseClock: witness
                )
            )
        } catch {
            claim.close()
            throw error
        }
    }
}

/// Maintenance of the PostgreSQL database.
struct PostgresUpkeep: StoreUpkeep {
    let database: PostgresDatabase
    let unitOfWork: PostgresUnitOfWork
    /// The claim to be the only process on the database.
    let claim: PostgresClaim
    let ids: IDForm
    let databaseClock: DatabaseClock?

    var encryptedRows: (any EncryptedRows)? { SQLEncryptedRows(database) }

    /// The server's own monitoring has its sizes.
    var fileSizes: (database: Int64, log: Int64)? { nil }

    /// Throws as well while another daemon has the database's lock, so that a load balancer leaves this one.
    func checkDurable() async throws {
        guard !claim.isTaken else { throw StoreError.unavailable(cause: "another daemon has the database's lock") }
        try await unitOfWork.checkDurable()
    }

    func purge(of kind: ExpiringRowKind) -> Purge { SQLExpiringRows(kind).purge }

    func close() {
        database.close()
        claim.close()
    }
}
