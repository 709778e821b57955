import Kernel
import Passkeys
import Storage

extension Stores {
    /// The stores of the SQLite file that the config names.
    ///
    /// `migrating`: Runs missing migrations; without it a schema that is behind is refused.
    ///
    /// `keyMark`: The mark of the keys that belong to the database.
    ///
    /// - Throws: `StoreOpenError`, which says what to do.
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
        // A database of before there were marks takes that of the keys beside it: its audit, if any, is by these.
        try database.keep(keyMark: keyMark, at: environment.now())
        let health = observability.storeHealth
        database.whenDamaged(health.noteDamage)
        return Stores(database, SQLiteUnitOfWork(database, onCommit: health.note))
    }

    /// Runs missing migrations of the file and nothing else; returns their names.
    static func migrate(_ options: SQLiteDatabase.Options, at now: Instant) throws -> [String] {
        let (database, applied) = try SQLiteDatabase.open(options, migrating: true, at: now)
        try database.close()
        return applied
    }

    private init(_ database: SQLiteDatabase, _ unitOfWork: SQLiteUnitOfWork) {
        self.init(
            unitOfWork: unitOfWork,
            operations: SQLiteOperationStore(database, node: CoreFeature.node),
            people: PeopleStores(
                accounts: SQLiteAccountStore(database),
                addresses: SQLiteAddressStore(),
                enrolments: SQLiteEnrolmentStore(),
                emailCodes: SQLiteEmailCodeStore(database),
                lockouts: SQLiteLockoutStore(),
                devices: DeviceStores(
                    links: SQLiteDeviceLinkStore(),
                    registered: SQLiteRegisteredDeviceStore(),
                    keys: SQLiteDeviceKeyStore()
                ),
                passkeys: PasskeyStores(
                    passkeys: SQLitePasskeyStore(database),
                    challenges: SQLitePasskeyChallengeStore(database)
                ),
                mails: SQLiteMailQueueStore(database)
            ),
            sessions: SessionStores(
                sessions: SQLiteSessionStore(database),
                browsers: SQLiteWebSessionStore(database),
                descents: SQLiteDescentStore()
            ),
            oauth: OAuthStores(
                clients: SQLiteOAuthClientStore(database),
                grants: SQLiteOAuthGrantStore(database),
                interactions: SQLiteInteractionStore(),
                codes: SQLiteAuthorizationCodeStore(),
                pushedRequests: SQLitePushedRequestStore(),
                consents: SQLiteConsentStore(),
                backchannel: SQLiteBackchannelStore(database),
                deviceAuthorizations: SQLiteDeviceAuthorizationStore()
            ),
            wallet: WalletStores(
                banks: SQLiteBankEnrolmentStore(database),
                cards: SQLiteWalletStore(database),
                payments: SQLitePaymentStore(database)
            ),
            audit: SQLiteAuditStore(database),
            upkeep: SQLiteUpkeep(database: database, unitOfWork: unitOfWork)
        )
    }
}

/// The SQLite file as a whole.
struct SQLiteUpkeep: StoreUpkeep {
    let database: SQLiteDatabase
    let unitOfWork: SQLiteUnitOfWork

    var encryptedRows: (any EncryptedRows)? { SQLiteEncryptedRows(database) }

    var fileSizes: (database: Int64, log: Int64)? { database.fileSizes }

    func checkDurable() async throws { try await unitOfWork.checkDurable() }

    func purge(of kind: ExpiringRowKind) -> Purge { SQLiteExpiringRows(kind).purge }

    func close() throws { try database.close() }
}

extension SQLiteExpiringRows {
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
