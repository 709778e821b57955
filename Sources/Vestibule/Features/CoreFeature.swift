import Audit
import Kernel
import Logging
import Settings
import Storage
import Telemetry
import Tokens

/// The base of every feature: settings, keys, the database, audit and mail.
struct CoreFeature: Sendable {
    /// The node's name in rows that several nodes will share one day.
    static let node = "local"

    let settings: Settings
    let environment: Environment
    let observability: Observability
    let startedAt: Instant
    let secrets: ServerSecrets
    let store: StoreFeature
    let audit: AuditFeature
    let mail: MailFeature

    init(_ settings: Settings, environment: Environment, logger: Logger, migrating: Bool) throws {
        self.settings = settings
        self.environment = environment
        observability = Observability(
            logger: logger,
            metrics: settings.metrics.enabled ? MetricsRegistry(MetricCatalogue.families) : nil
        )
        startedAt = environment.now()
        try KeyDatabasePairing.check(settings, environment: environment)
        secrets = try ServerSecrets(settings, environment: environment)
        store = try StoreFeature(
            settings.storage,
            migrating: migrating,
            keyMark: secrets.folder.databaseMark,
            environment: environment,
            observability: observability
        )
        audit = try AuditFeature(
            settings,
            environment: environment,
            logger: logger,
            keyFolder: secrets.folder,
            database: store.database,
            unitOfWork: store.unitOfWork
        )
        mail = MailFeature(
            settings,
            environment: environment,
            logger: logger,
            encryptor: secrets.encryptor,
            database: store.database,
            unitOfWork: store.unitOfWork
        )
    }
}

/// What operators see of the server: its log, and its metrics.
struct Observability: Sendable {
    let logger: Logger
    /// `nil` while nothing is to be measured.
    let metrics: MetricsRegistry?
}

/// The key folder, and the keys that encrypt rows and sign tokens.
struct ServerSecrets: Sendable {
    let folder: KeyFolder
    let encryptor: AESGCMEncryptor
    let ring: KeyRing

    init(_ settings: Settings, environment: Environment) throws {
        folder = try KeyFolder.open(
            at: settings.secrets.keyFolder,
            environment: environment,
            encryptionKeys: settings.secrets.folderEncryptionKeys
        )
        encryptor = AESGCMEncryptor(settings.secrets.encryptionKeys, folder: folder, environment: environment)
        ring = try KeyRing.open(
            in: folder,
            policy: settings.secrets.ring,
            longestToken: settings.longestAccessToken,
            now: environment.now()
        )
    }
}

/// The database, its unit of work, and whether it can be written.
struct StoreFeature: Sendable {
    let database: SQLiteDatabase
    let unitOfWork: SQLiteUnitOfWork
    let health: StoreHealth

    /// `keyMark`: The mark of the keys that belong to the database.
    init(
        _ options: SQLiteDatabase.Options,
        migrating: Bool,
        keyMark: Digest256,
        environment: Environment,
        observability: Observability
    ) throws {
        database = try SQLiteDatabase.open(
            options,
            migrating: migrating,
            at: environment.now(),
            metrics: observability.metrics.map { StoreMetrics($0, clock: environment.clock) }
        ).database
        // A database of before there were marks takes that of the keys beside it: its audit, if any, is by these.
        try database.keep(keyMark: keyMark, at: environment.now())
        health = StoreHealth(clock: environment.clock, logger: observability.logger)
        unitOfWork = SQLiteUnitOfWork(database, onCommit: health.note)
        database.whenDamaged(health.noteDamage)
    }
}
