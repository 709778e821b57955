import Audit
import Kernel
import Logging
import Settings
import Storage
import Telemetry
import Tokens
import Web

/// The base of every feature: settings, keys, database, audit and mail.
package struct CoreFeature: Sendable {
    /// The name in rows of the first slot, which is the only daemon's on SQLite.
    package static let node = "local"

    let configured: ConfiguredServer
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
        as process: ProcessRole,
        environment: Environment,
        logger: Logger,
        migrating: Bool,
        stores: Stores?
    ) throws {
        let configured = ConfiguredServer(settings, logger: logger)
        self.configured = configured
        observability = Observability(
            logger: logger,
            metrics: settings.metrics.enabled ? MetricsRegistry(MetricCatalogue.families) : nil,
            isDaemon: process == .daemon,
            now: environment.now,
            storeHealth: StoreHealth(settings.storage, clock: environment.clock, logger: logger)
        )
        startedAt = environment.now()
        if stores == nil { try KeyDatabasePairing.check(settings, environment: environment) }
        let root = try RootSecrets(settings, environment: environment)
        self.stores =
            try stores
            ?? .open(
                settings.storage,
                DatabaseUse(
                    keyMark: root.folder.databaseMark,
                    process: process,
                    description: NodeDescription(
                        version: Version.number,
                        config: settings.agreement,
                        encryptionKey: root.encryptor.currentKey
                    )
                ),
                migrating: migrating,
                encryptor: root.encryptor,
                environment: environment,
                observability: observability
            )
        let environment = environment.making(self.stores.upkeep.ids)
        self.environment = environment
        do {
            secrets = try ServerSecrets(
                root,
                settings,
                upkeep: self.stores.upkeep,
                environment: environment,
                logger: logger
            )
            audit = try AuditFeature(
                settings,
                environment: environment,
                logger: logger,
                keyFolder: secrets.folder,
                stores: self.stores
            )
        } catch {
            try? self.stores.upkeep.close()
            throw error
        }
        mail = MailFeature(
            configured,
            environment: environment,
            logger: logger,
            encryptor: secrets.encryptor,
            stores: self.stores
        )
    }
}

extension CoreFeature {
    var settings: Settings { configured.settings }
}

/// The server's log and metrics, and whether the database can be written.
struct Observability: Sendable {
    let logger: Logger
    /// `nil`: nothing is measured.
    let metrics: MetricsRegistry?
    /// The registry of what operators are shown: a daemon has one also where no metrics are served.
    let kept: MetricsRegistry?
    /// `nil` without ``kept``.
    let history: MinuteHistory?
    let storeHealth: StoreHealth

    init(
        logger: Logger,
        metrics: MetricsRegistry?,
        isDaemon: Bool,
        now: @escaping @Sendable () -> Instant,
        storeHealth: StoreHealth
    ) {
        self.logger = logger
        self.metrics = metrics
        kept = metrics ?? (isDaemon ? MetricsRegistry(MetricCatalogue.families) : nil)
        history = kept.map { MinuteHistory($0, now: now) }
        self.storeHealth = storeHealth
    }
}

/// The key folder and the keys that encrypt rows, with which a database is opened.
private struct RootSecrets {
    let folder: KeyFolder
    let encryptor: AESGCMEncryptor

    init(_ settings: Settings, environment: Environment) throws {
        folder = try KeyFolder.open(
            at: settings.secrets.keyFolder,
            environment: environment,
            encryptionKeys: settings.secrets.folderEncryptionKeys
        )
        encryptor = AESGCMEncryptor(settings.secrets.encryptionKeys, folder: folder, environment: environment)
    }
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

    /// `upkeep`: the database, which keeps the ring if several daemons can share it.
    fileprivate init(
        _ root: RootSecrets,
        _ settings: Settings,
        upkeep: any StoreUpkeep,
        environment: Environment,
        logger: Logger
    ) throws {
        folder = root.folder
        encryptor = root.encryptor
        taggedIDs = TaggedIDs(key: folder.derivedDigest(.idTag))
        let (policy, longest, now) = (settings.secrets.ring, settings.longestAccessToken, environment.now())
        guard let rings = upkeep.sharedRings else {
            ring = try KeyRing.open(in: folder, policy: policy, longestToken: longest, now: now)
            return
        }
        let shared = SharedRingStore(rings, folder: folder, feed: upkeep.feed, environment: environment) { error in
            logger.warning(
                "the key folder's old ring could not be marked as moved to the database: delete it, or it may be used if the database loses its keys",
                metadata: ["error": "\(error)"]
            )
        }
        // Another daemon may sign with the old key until it has heard of the rotation, at the latest at its next look.
        let longestAnywhere = longest + KeyRotation.interval * 2
        ring = try KeyRing.open(in: shared, policy: policy, longestToken: longestAnywhere, now: now)
    }
}
