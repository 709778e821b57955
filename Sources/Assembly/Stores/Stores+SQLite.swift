import Kernel
import Passkeys
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
        return Stores(database, SQLiteUnitOfWork(database, onCommit: health.note))
    }

    /// Runs the missing migrations of the file and nothing else, and returns their names.
    static func migrate(_ options: SQLiteDatabase.Options, at now: Instant) throws -> [String] {
        let (database, applied) = try SQLiteDatabase.open(options, migrating: true, at: now)
        try database.close()
        return applied
    }

    private init(_ database: SQLiteDatabase, _ unitOfWork: SQLiteUnitOfWork) {
        self.init(
            unitOfWork: unitOfWork,
            operations: SQLOperationStore(database, node: CoreFeature.node),
            people: PeopleStores(
                accounts: SQLAccountStore(database),
                addresses: SQLAddressStore(),
                enrolments: SQLEnrolmentStore(),
                emailCodes: SQLEmailCodeStore(database),
                lockouts: SQLLockoutStore(),
                devices: DeviceStores(
                    links: SQLDeviceLinkStore(),
                    registered: SQLRegisteredDeviceStore(),
                    keys: SQLDeviceKeyStore()
                ),
                passkeys: PasskeyStores(
                    passkeys: SQLPasskeyStore(database),
                    challenges: SQLPasskeyChallengeStore(database)
                ),
                mails: SQLMailQueueStore(database)
            ),
            sessions: SessionStores(
                sessions: SQLSessionStore(database),
                browsers: SQLWebSessionStore(database),
                descents: SQLDescentStore()
            ),
            oauth: OAuthStores(
                clients: SQLOAuthClientStore(database),
                grants: SQLOAuthGrantStore(database),
                interactions: SQLInteractionStore(),
                codes: SQLAuthorizationCodeStore(),
                pushedRequests: SQLPushedRequestStore(),
                consents: SQLConsentStore(),
                backchannel: SQLBackchannelStore(database),
                deviceAuthorizations: SQLDeviceAuthorizationStore()
            ),
            wallet: WalletStores(
                banks: SQLBankEnrolmentStore(database),
                cards: SQLWalletStore(database),
                payments: SQLPaymentStore(database)
            ),
            audit: SQLAuditStore(database),
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

extension SQLExpiringRows {
    fileprivate init(_ kind: ExpiringRowKind) {
        self =
            switch kind {
            case .operations: .operations
            case .sessions: .sessions
            case .deviceLinks: .deviceLinks
            case .ownerlessDevices: .ownerlessDevices
            case .devices: .devices
            case .lockouts: .lockouts
            case .deviceAuthorizations: .deviceAuthorizations
            case .emailCodes: .emailCodes
            case .passkeyChallenges: .passkeyChallenges
            case .webSessions: .webSessions
            case .authorizationCodes: .authorizationCodes
            case .interactions: .interactions
            case .pushedRequests: .pushedRequests
            case .consents: .consents
            case .backchannelRequests: .backchannelRequests
            case .bankEnrolments: .bankEnrolments
            case .payments: .payments
            case .registrations: .registrations
            case .mails: .mails
            }
    }
}
