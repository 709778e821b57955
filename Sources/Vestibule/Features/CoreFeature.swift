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
    let logger: Logger
    let startedAt: Instant
    let keyFolder: KeyFolder
    let encryptor: AESGCMEncryptor
    let keys: KeyRing
    let database: SQLiteDatabase
    let unitOfWork: SQLiteUnitOfWork
    let health: StoreHealth
    let audit: AuditFeature
    let mail: MailFeature
    /// `nil` while nothing is to be measured.
    let metrics: MetricsRegistry?

    init(_ settings: Settings, environment: Environment, logger: Logger, migrating: Bool) throws {
        self.settings = settings
        self.environment = environment
        self.logger = logger
        startedAt = environment.now()
        try KeyDatabasePairing.check(settings, environment: environment)
        keyFolder = try KeyFolder.open(
            at: settings.secrets.keyFolder,
            environment: environment,
            encryptionKeys: settings.secrets.folderEncryptionKeys
        )
        encryptor = AESGCMEncryptor(settings.secrets.encryptionKeys, folder: keyFolder, environment: environment)
        keys = try KeyRing.open(
            in: keyFolder,
            policy: settings.secrets.ringPolicy(longestToken: settings.longestAccessToken),
            now: environment.now()
        )
        metrics = settings.metrics.enabled ? MetricsRegistry(MetricCatalogue.families) : nil
        database = try SQLiteDatabase.open(
            settings.storage,
            migrating: migrating,
            at: environment.now(),
            metrics: metrics.map { StoreMetrics($0, clock: environment.clock) }
        ).database
        // A database of before there were marks takes that of the keys beside it: its audit, if any, is by these.
        try database.keep(keyMark: keyFolder.databaseMark, at: environment.now())
        health = StoreHealth(clock: environment.clock, logger: logger)
        unitOfWork = SQLiteUnitOfWork(database, onCommit: health.note)
        database.whenDamaged(health.noteDamage)
        audit = try AuditFeature(
            settings,
            environment: environment,
            logger: logger,
            keyFolder: keyFolder,
            database: database,
            unitOfWork: unitOfWork
        )
        mail = MailFeature(
            settings,
            environment: environment,
            logger: logger,
            encryptor: encryptor,
            database: database,
            unitOfWork: unitOfWork
        )
    }
}
