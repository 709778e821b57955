import Audit
import Kernel
import Logging
import Storage

extension Stores {
    /// The stores in the PostgreSQL database that the config names, whose schema must have been migrated.
    ///
    /// `encryptor`: for the key that hides parts of ids, which only PostgreSQL has.
    ///
    /// - Throws: `PostgresOpenError` or ``UnusableFilesError``, whose message says what to do.
    static func postgres(
        _ options: PostgresOptions,
        _ use: DatabaseUse,
        encryptor: any Encryptor,
        environment: Environment,
        observability: Observability
    ) throws -> Stores {
        let health = observability.storeHealth
        let witness = options.comparesClocks ? DatabaseClock(environment, tell: health.noteSkew) : nil
        // Comes before anything is written.
        let claim = try PostgresClaim(
            .shared,
            options,
            clock: environment.clock,
            witness: witness,
            tell: health.noteClaim
        )
        var share: PostgresShare?
        do {
            try PostgresDatabase.check(options, environment: environment)
            let stored = try PostgresDatabase.keep(keyMark: use.keyMark, in: options, environment: environment)
            // Another first start with other keys may have come between the check of the keys and the claim.
            guard stored.matches(use.keyMark) else { throw KeyDatabasePairing.otherKeys(of: options) }
            let mask = try PostgresDatabase.idMask(of: options, encryptor: encryptor, environment: environment)
            try PostgresDatabase.warnings(options, clock: environment.clock).forEach(health.noteForgetful)
            let ids = IDForm.bucketed(mask)
            let shared = try PostgresShare(options, use, environment: environment, logger: observability.logger)
            share = shared
            let database = PostgresDatabase.connect(
                options,
                environment: environment.making(ids),
                slot: shared.nodes.node.slot,
                metrics: observability.metrics.map { StoreMetrics($0, clock: environment.clock) }
            )
            let unitOfWork = PostgresUnitOfWork(database, onCommit: health.note)
            let upkeep = PostgresUpkeep(
                database: database,
                unitOfWork: unitOfWork,
                claim: claim,
                share: shared,
                ids: ids,
                databaseClock: witness,
                sharedRings: PostgresRings(options, clock: environment.clock),
                checkpointLog: PostgresCheckpointLog(options, clock: environment.clock)
            )
            return Stores(database, unitOfWork: unitOfWork, upkeep: upkeep)
        } catch {
            share?.close()
            claim.close()
            throw error
        }
    }
}

/// A process's part among the daemons that share a PostgreSQL database.
struct PostgresShare: Sendable {
    let nodes: any NodeMembership
    let feed: any ChangeFeed
    private let membership: PostgresMembership?
    private let messages: PostgresFeed?
    private let logger: Logger

    init(_ options: PostgresOptions, _ use: DatabaseUse, environment: Environment, logger: Logger) throws {
        self.logger = logger
        guard use.process != .only else {
            (membership, messages, nodes, feed) = (nil, nil, SingleNode(), SilentFeed())
            return
        }
        // A daemon looks when it joins.
        if use.process == .command { try PostgresMembership.checkNotices(options, environment: environment) }
        let membership =
            use.process == .command
            ? nil
            : try PostgresMembership(
                options,
                environment: environment,
                description: use.description,
                tell: MembershipLog(logger: logger).note
            )
        let messages = PostgresFeed(options, environment: environment)
        (self.membership, self.messages) = (membership, messages)
        nodes = membership ?? GuestNode()
        if let membership {
            logger.notice(
                "this daemon has a name among those of its database",
                metadata: ["node": "\(membership.node)"]
            )
        }
        feed = messages
    }

    func noteServing() { membership?.noteServing() }

    /// Lets another daemon follow this one's operations.
    func leave() { membership?.leave() }

    func close() {
        membership?.close()
        guard let unsent = messages?.close(), unsent > 0 else { return }
        logger.error(
            """
            other daemons were not told of the last changes: they accept a session that was just ended until its access \
            token expires
            """,
            metadata: ["messages": "\(unsent)"]
        )
    }
}

/// Maintenance of the PostgreSQL database.
struct PostgresUpkeep: StoreUpkeep {
    let database: PostgresDatabase
    let unitOfWork: PostgresUnitOfWork
    /// The claim to use the database.
    let claim: PostgresClaim
    let share: PostgresShare
    let ids: IDForm
    let databaseClock: DatabaseClock?
    let sharedRings: (any SharedRings)?
    let checkpointLog: PostgresCheckpointLog

    var checkpoints: (any CheckpointLog)? { checkpointLog }

    var encryptedRows: (any EncryptedRows)? { SQLEncryptedRows(database) }

    var registry: any NodeRegistry { PostgresNodeRegistry(database) }

    /// The server's own monitoring has its sizes.
    var fileSizes: (database: Int64, log: Int64)? { nil }

    var nodes: any NodeMembership { share.nodes }
    var feed: any ChangeFeed { share.feed }
    var sharedUses: (any SharedUses)? { PostgresSharedUses(database) }

    /// Throws as well while rows are moved into the database, so that a load balancer leaves this daemon.
    func checkDurable() async throws {
        guard !claim.isTaken else { throw StoreError.unavailable(cause: "rows are moved into the database") }
        try await unitOfWork.checkDurable()
    }

    func purge(of kind: ExpiringRowKind) -> Purge { SQLExpiringRows(kind).purge }

    func noteServing() { share.noteServing() }

    func leave() { share.leave() }

    func close() {
        // The others hear of the last changes.
        database.close()
        share.close()
        checkpointLog.close()
        claim.close()
    }
}
