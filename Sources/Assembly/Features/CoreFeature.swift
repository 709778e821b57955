import Audit
import Kernel
import Logging
import Settings
import Storage
import Telemetry
import Tokens

/// The base of every feature: settings, keys, database, audit and mail.
package struct CoreFeature: Sendable {
    /// The node's name in rows, in preparation for several nodes that share a database.
    package static let node = "local"

    let settings: Settings
    /// With the form of ids that the database has.
    let environment: Environment
    let observability: Observability
    let startedAt: Instant
    let secrets: ServerSecrets
    let stores: Stores
    let audit: AuditFeature
    let mail: MailFeature

    /// `stores`: used instead of the database in the settings.
    init(
        _ settings: Settings,
        environment: Environment,
        logger: Logger,
        migrating: Bool,
        stores: Stores?
    ) throws {
        self.settings = settings
        observability = Observability(
            logger: logger,
            metrics: settings.metrics.enabled ? MetricsRegistry(MetricCatalogue.families) : nil,
            storeHealth: StoreHealth(settings.storage, clock: environment.clock, logger: logger)
        )
        startedAt = environment.now()
        if stores == nil { try KeyDatabasePairing.check(settings, environment: environment) }
        secrets = try ServerSecrets(settings, environment: environment)
        self.stores =
            try stores
            ?? .open(
                settings.storage,
                migrating: migrating,
                keyMark: secrets.folder.databaseMark,
                encryptor: secrets.encryptor,
                environment: environment,
                observability: observability
            )
        let environment = environment.making(self.stores.upkeep.ids)
        self.environment = environment
        audit = try AuditFeature(
            settings,
            environment: environment,
            logger: logger,
            keyFolder: secrets.folder,
            stores: self.stores
        )
        mail = MailFeature(
            settings,
            environment: environment,
            logger: logger,
            encryptor: secrets.encryptor,
            stores: self.stores
        )
    }
}

/// The server's log and metrics, and whether the database can be written.
struct Observability: Sendable {
    let logger: Logger
    /// `nil`: nothing is measured.
    let metrics: MetricsRegistry?
    let storeHealth: StoreHealth
}

/// The key folder, and the keys that encrypt rows and sign tokens.
struct ServerSecrets: Sendable {
    let folder: KeyFolder
    let encryptor: AESGCMEncryptor
    let ring: KeyRing
    /// Makes the ids that clients poll with.
    ///
    /// There are no earlier keys: a root key never changes.
    let taggedIDs: TaggedIDs

    init(_ settings: Settings, environment: Environment) throws {
        folder = try KeyFolder.open(
            at: settings.secrets.keyFolder,
            environment: environment,
            encryptionKeys: settings.secrets.folderEncryptionKeys
        )
        encryptor = AESGCMEncryptor(settings.secrets.encryptionKeys, folder: folder, environment: environment)
        taggedIDs = TaggedIDs(key: folder.derivedDigest(.idTag))
        ring = try KeyRing.open(
            in: folder,
            policy: settings.secrets.ring,
            longestToken: settings.longestAccessToken,
            now: environment.now()
        )
    }
}
