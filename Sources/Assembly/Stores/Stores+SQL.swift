import Kernel
import Passkeys
import Storage

extension Stores {
    /// The stores over a database, in the SQL that every engine runs.
    init(_ database: any SQLDatabase, unitOfWork: any UnitOfWork, upkeep: any StoreUpkeep) {
        self.init(
            unitOfWork: unitOfWork,
            operations: SQLOperationStore(database),
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
                descents: SQLDescentStore(),
                usedMarks: SQLUsedMarkStore(),
                logouts: SQLLogoutNoticeStore()
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
            upkeep: upkeep
        )
    }
}

extension SQLExpiringRows {
    /// The deletion of that kind of rows.
    init(_ kind: ExpiringRowKind) {
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
            case .usedMarks: .usedMarks
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
