import Accounts
import Audit
import Devices
import FaceProviders
import HTTPAPI
import Kernel
import Logging
import Mail
import OAuth
import Operations
import Passkeys
import Sessions
import Settings
import SignIn
import Storage
import Telemetry
import Tokens
import Wallet

/// The composition root: the one place where rooms that don't know each other meet.
///
/// Made once per process, by `serve` or, while no daemon runs, by a command.
struct Composition: Sendable {
    /// The node's name in rows that several nodes will share one day.
    static let node = "local"

    let settings: Settings
    let startedAt: Instant
    let listening: ListeningSince
    let facts: Facts
    let logger: Logger
    let database: SQLiteDatabase
    let keyFolder: KeyFolder
    let keys: KeyRing
    let providers: ProviderShelf
    /// `nil` where the config names none.
    let upstreams: UpstreamShelf?
    let unitOfWork: SQLiteUnitOfWork
    let operations: SQLiteOperationStore
    let sessionStore: SQLiteSessionStore
    let deviceLinks: SQLiteDeviceLinkStore
    let registeredDevices: SQLiteRegisteredDeviceStore
    let registered: RegisteredDevices
    let deviceKeys: SQLiteDeviceKeyStore
    let devices: DeviceOffice
    let wallet: WalletOffice
    let passkeys: PasskeyOffice
    let oauth: OAuthOffice
    let authorization: AuthorizationOffice
    let deviceFlow: DeviceFlowDesk
    let backchannel: BackchannelOffice
    let desk: OperationDesk
    let webhooks: WebhookIntake
    let accounts: AccountDesk
    let passwords: PasswordDesk
    let registrations: RegistrationDesk
    let ownerNotices: OwnerNotices
    let descents = SQLiteDescentStore()
    let ending: EndingService
    let lockouts: Lockouts
    let lockoutStore = SQLiteLockoutStore()
    let linkedDevices: LinkedDevices
    let sessions: SessionDesk
    let tokens: TokenSet
    let door: Door
    let revokedSessions: RevokedSessions
    let refreshes: RefreshDesk
    let deviceCookies: DeviceCookieMint
    let audit: AuditOffice
    let mail: MailOffice
    let mailProofs: MailProofs
    /// `nil` while nothing is to be measured.
    let metrics: MetricsRegistry?
    let readiness = ReadinessCounts()

    /// `faceProviders`: scan in the place of those that the settings name; `banks`: the way to banks in the place of HTTP;
    /// `passwordCost`: what new passwords are hashed with, less only where hundreds are hashed by tests.
    init(
        _ settings: Settings,
        facts: Facts,
        logger: Logger,
        migrating: Bool,
        faceProviders: [any FaceProvider]? = nil,
        banks: (any BankGateway)? = nil,
        passwordCost: ScryptParameters = .current
    ) throws {
        self.settings = settings
        self.facts = facts
        startedAt = facts.now()
        listening = ListeningSince(startedAt: startedAt)
        self.logger = logger
        try KeysBesideRows.check(settings, facts: facts)
        keyFolder = try KeyFolder.open(
            at: settings.secrets.keyFolder,
            facts: facts,
            sealingKeys: settings.secrets.folderSealingKeys
        )
        keys = try KeyRing.open(
            in: keyFolder,
            policy: settings.secrets.ringPolicy(longestToken: settings.longestAccessToken),
            now: facts.now()
        )
        let registry = settings.metrics.enabled ? MetricsRegistry(MetricCatalogue.families) : nil
        metrics = registry
        database = try SQLiteDatabase.open(
            settings.storage.options,
            migrating: migrating,
            at: facts.now(),
            metrics: registry.map { StoreMetrics($0, clock: facts.clock) }
        ).database
        // A database of before there were marks takes that of the keys beside it: its audit, if any, is by these.
        try database.keep(keyMark: keyFolder.databaseMark, at: facts.now())
        let health = StoreHealth(clock: facts.clock, logger: logger)
        unitOfWork = SQLiteUnitOfWork(database, onCommit: health.note)
        database.whenDamaged(health.noteDamage)
        operations = SQLiteOperationStore(database, node: Self.node)
        sessionStore = SQLiteSessionStore(database)
        deviceLinks = SQLiteDeviceLinkStore()
        registeredDevices = SQLiteRegisteredDeviceStore()
        deviceKeys = SQLiteDeviceKeyStore()
        providers = ProviderShelf(
            settings.providers,
            publicURL: settings.publicURL,
            facts: facts,
            logger: logger
        )
        upstreams = UpstreamShelf(
            settings,
            callback: settings.publicURL + UpstreamSignIn.path,
            keyFolder: keyFolder,
            facts: facts,
            logger: logger
        )
        deviceCookies = DeviceCookieMint(key: keyFolder.derivedKey(.deviceCookie))
        audit = try AuditOffice(
            settings,
            facts: facts,
            logger: logger,
            keyFolder: keyFolder,
            database: database,
            unitOfWork: unitOfWork
        )
        mail = MailOffice(
            settings,
            facts: facts,
            logger: logger,
            keyFolder: keyFolder,
            database: database,
            unitOfWork: unitOfWork
        )
        let backchannel = BackchannelOffice(settings, facts: facts, keyFolder: keyFolder, database: database)
        self.backchannel = backchannel
        let accountStore = SQLiteAccountStore(database)
        let devices = DeviceLinks(facts: facts, unitOfWork: unitOfWork, store: deviceLinks)
        let registered = RegisteredDevices(facts: facts, store: registeredDevices, keys: deviceKeys)
        self.registered = registered
        revokedSessions = RevokedSessions(lasting: settings.longestAccessToken, startedAt: startedAt)
        let sessions = SessionDesk(
            facts: facts,
            store: sessionStore,
            journal: SessionJournalAdapter(chain: audit.chain, facts: facts),
            revoked: revokedSessions
        )
        self.sessions = sessions
        let ownerNotices = OwnerNotices(
            store: accountStore,
            mailer: mail.mailer,
            services: Dictionary(settings.clients.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        )
        self.ownerNotices = ownerNotices
        let descent = DescentEnding(
            store: descents,
            sessions: sessions,
            links: devices,
            cookies: deviceCookies,
            registered: registered,
            deviceJournal: DeviceJournalAdapter(chain: audit.chain, facts: facts),
            passkeyJournal: PasskeyJournalAdapter(chain: audit.chain, facts: facts)
        )
        let standing = StandingSessionsAdapter(
            accounts: accountStore,
            sessions: sessions,
            ending: descent
        )
        wallet = WalletOffice(
            settings,
            facts: facts,
            logger: logger,
            keyFolder: keyFolder,
            database: database,
            unitOfWork: unitOfWork,
            sessions: standing,
            journal: WalletJournalAdapter(chain: audit.chain, facts: facts),
            gateway: banks
        )
        let seal = PushTokenSealAdapter(
            sealer: Sealer(settings.secrets.sealingKeys, folder: keyFolder, facts: facts)
        )
        let deviceJournal = DeviceJournalAdapter(chain: audit.chain, facts: facts)
        let registrar = DeviceRegistrar(
            facts: facts,
            unitOfWork: unitOfWork,
            store: registeredDevices,
            seal: seal,
            journal: deviceJournal,
            notices: DeviceNoticesAdapter(notices: ownerNotices),
            origins: DeviceOriginsAdapter(descents: descents, sessions: sessions)
        )
        tokens = TokenSet(
            issuer: TokenIssuer(issuer: settings.issuer, ring: keys, folder: keyFolder),
            succession: RefreshSuccession(keyFolder),
            accounts: accountStore,
            clients: settings.clientDirectory,
            longest: settings.longestAccessToken,
            facts: facts
        )
        door = Door(
            facts: facts,
            accounts: accountStore,
            sessions: sessions,
            devices: SignInDevices(
                links: devices,
                registered: registered,
                registrar: registrar,
                cookies: deviceCookies
            ),
            descents: descents,
            grants: SQLiteOAuthGrantStore(database),
            tokens: tokens,
            unitOfWork: unitOfWork
        )
        let desk = OperationDesk(
            facts: facts,
            board: LiveBoard(),
            unitOfWork: unitOfWork,
            store: operations,
            subjects: LoginSubjectsAdapter(accounts: accountStore, devices: devices, registered: registered),
            sessions: door,
            standing: standing,
            enrolling: FaceEnrollingAdapter(
                accounts: accountStore,
                enrolments: SQLiteEnrolmentStore(),
                standing: standing,
                notices: ownerNotices,
                facts: facts,
                descents: descents
            ),
            passkeys: settings.servesPasskeys
                ? ConfirmingPasskeysAdapter(
                    store: SQLitePasskeyStore(database),
                    unitOfWork: unitOfWork,
                    rpID: settings.relyingParty.id
                ) : nil,
            journal: BackchannelJournal(
                journal: OperationJournalAdapter(chain: audit.chain),
                backchannel: backchannel.desk
            ),
            providers: (faceProviders ?? providers.guarded as [any FaceProvider]).map { provider in
                guard let registry else { return provider }
                return MeasuredFaceProvider(provider, clock: facts.clock, factory: registry)
            },
            loginProvider: ProviderName(settings.faceLogin.provider),
            failover: settings.faceLogin.failover.map { ProviderName($0) },
            cadence: WatchCadence(hot: settings.faceLogin.hotCheck, cold: settings.faceLogin.coldCheck),
            lookups: StoreLookups(clock: facts.clock, isLimited: !settings.limits.off),
            limits: Limits(settings.limits.off ? nil : settings.limits.rates, facts: facts),
            metrics: registry.map { OperationMetrics($0) } ?? OperationMetrics(),
            returns: ReturnSecrets(key: keyFolder.derivedKey(.scanReturn)),
            logger: logger
        )
        self.desk = desk
        let means = MeansEnding(descent: descent, operations: desk)
        let office = DeviceOffice(
            facts: facts,
            unitOfWork: unitOfWork,
            registrar: registrar,
            store: registeredDevices,
            keys: deviceKeys,
            seal: seal,
            journal: deviceJournal,
            notices: DeviceNoticesAdapter(notices: ownerNotices),
            origins: DeviceOriginsAdapter(descents: descents, sessions: sessions),
            ending: means
        )
        self.devices = office
        webhooks = WebhookIntake(settings, desk: desk, facts: facts, logger: logger)
        let accountJournal = AccountJournalAdapter(chain: audit.chain, facts: facts)
        linkedDevices = LinkedDevices(
            links: devices,
            registered: registered,
            clients: settings.clients.map(\.id)
        )
        lockouts = Lockouts(facts: facts, store: lockoutStore)
        let codeMint = EmailCodeMint(key: keyFolder.derivedKey(.emailCode))
        passwords = PasswordDesk(
            unitOfWork: unitOfWork,
            store: accountStore,
            journal: accountJournal,
            lockouts: lockouts,
            hasher: PasswordHasher(
                facts: facts,
                parameters: passwordCost,
                lanes: settings.limits.passwordsAtOnce
            ),
            standIn: codeMint.standIn(for:)
        )
        registrations = RegistrationDesk(
            facts: facts,
            store: accountStore,
            journal: accountJournal,
            passwords: passwords,
            claims: settings.accounts.requireVerifiedEmail
        )
        passkeys = try PasskeyOffice(
            settings,
            facts: facts,
            keyFolder: keyFolder,
            database: database,
            unitOfWork: unitOfWork,
            people: PasskeyPeopleAdapter(accounts: accountStore, registrations: registrations),
            journal: PasskeyJournalAdapter(chain: audit.chain, facts: facts),
            notices: PasskeyNoticesAdapter(notices: ownerNotices),
            sessions: sessions,
            ending: means
        )
        let ending = EndingService(
            descent: descent,
            facts: facts,
            devices: office.owned,
            passkeys: passkeys.owned,
            codes: SQLiteEmailCodeStore(database),
            operations: desk,
            unitOfWork: unitOfWork
        )
        self.ending = ending
        refreshes = RefreshDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            store: sessionStore,
            subjects: RefreshSubjectsAdapter(accounts: accountStore, devices: devices, registered: registered),
            sessions: sessions,
            ending: ending,
            listening: listening,
            policies: settings.refreshPolicy
        )
        oauth = OAuthOffice(
            settings,
            facts: facts,
            keyFolder: keyFolder,
            keys: keys,
            database: database,
            unitOfWork: unitOfWork,
            journal: ClientJournalAdapter(chain: audit.chain, facts: facts),
            ending: ending
        )
        authorization = AuthorizationOffice(
            directory: oauth.directory,
            hints: IdentityHints(
                verifier: TokenVerifier(issuer: settings.issuer, ring: keys, folder: keyFolder),
                facts: facts
            ),
            issuer: settings.issuer,
            policy: settings.oauth.authorizationPolicy,
            facts: facts,
            database: database,
            unitOfWork: unitOfWork
        )
        deviceFlow = DeviceFlowDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            store: SQLiteDeviceAuthorizationStore(database),
            keyFolder: keyFolder,
            settings.oauth
        )
        accounts = AccountDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            store: accountStore,
            journal: accountJournal,
            directory: providers,
            passwords: passwords,
            access: ending
        )
        mailProofs = MailProofs(
            settings,
            facts: facts,
            keyFolder: keyFolder,
            database: database,
            unitOfWork: unitOfWork,
            lockouts: lockouts,
            mint: codeMint,
            mailer: mail.mailer,
            journal: accountJournal,
            access: ending,
            passwords: passwords
        )
        registry?.read(desk)
        registry?.read(providers.guarded)
        registry?.read(webhooks)
        registry?.read(audit.checkpoints)
        registry?.read(mail.courier.counts)
        registry?.read(health, database)
        registry?.read(readiness)
        registry?.read(audit.sweepTime)
        registry?.readProcess()
    }

    /// Runs missing migrations and nothing else; returns their names.
    static func migrate(_ settings: Settings, facts: Facts) throws -> [String] {
        try KeysBesideRows.check(settings, facts: facts)
        let (database, applied) = try SQLiteDatabase.open(settings.storage.options, migrating: true, at: facts.now())
        try database.close()
        return applied
    }

    /// Gives back what the process holds: connections and the database.
    ///
    /// `deadline`: until when banks' answers are waited for; `nil` for a stop that begins now.
    func shutdown(by deadline: Uptime? = nil) async {
        await providers.shutdown()
        await backchannel.shutdown()
        await upstreams?.shutdown()
        await wallet.shutdown(by: deadline ?? facts.clock.now + settings.listen.drainTimeout)
        do { try database.close() } catch {
            logger.warning("the database was not closed in order", metadata: ["cause": "\(error)"])
        }
    }
}
