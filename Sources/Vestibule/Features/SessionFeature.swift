import Accounts
import Devices
import Kernel
import Sessions
import Settings
import SignIn
import Storage
import Tokens

/// Sessions: how they are opened and end, their tokens, and the devices that they are on.
struct SessionFeature: Sendable {
    let accountStore: SQLiteAccountStore
    let revoked: RevokedSessions
    let sessions: SessionService
    let cookies: DeviceCookieFactory
    let links: DeviceLinks
    let registered: RegisteredDevices
    let registrar: DeviceRegistrar
    let notices: OwnerNotices
    let descent: DescentEnding
    let activeSessions: ActiveSessionsAdapter
    let tokens: TokenSet
    let door: Door

    init(_ core: CoreFeature) {
        let (environment, settings, auditLog) = (core.environment, core.settings, core.audit.chain)
        let descents = SQLiteDescentStore()
        accountStore = SQLiteAccountStore(core.database)
        revoked = RevokedSessions(lasting: settings.longestAccessToken, startedAt: core.startedAt)
        sessions = SessionService(
            environment: environment,
            store: SQLiteSessionStore(core.database),
            auditLog: auditLog,
            revoked: revoked
        )
        notices = OwnerNotices(
            store: accountStore,
            mailer: core.mail.mailer,
            services: Dictionary(settings.clients.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        )
        cookies = DeviceCookieFactory(key: core.keyFolder.derivedKey(.deviceCookie))
        links = DeviceLinks(environment: environment, unitOfWork: core.unitOfWork, store: SQLiteDeviceLinkStore())
        registered = RegisteredDevices(
            environment: environment,
            store: SQLiteRegisteredDeviceStore(),
            keys: SQLiteDeviceKeyStore()
        )
        registrar = DeviceFeature.registrar(core, notices: notices, sessions: sessions)
        descent = DescentEnding(
            store: descents,
            sessions: sessions,
            links: links,
            cookies: cookies,
            registered: registered,
            auditLog: auditLog
        )
        activeSessions = ActiveSessionsAdapter(accounts: accountStore, sessions: sessions, ending: descent)
        tokens = TokenSet(
            issuer: TokenIssuer(issuer: settings.issuer, ring: core.keys, folder: core.keyFolder),
            succession: RefreshSuccession(core.keyFolder),
            accounts: accountStore,
            clients: settings.clientDirectory,
            longest: settings.longestAccessToken,
            environment: environment
        )
        door = Door(
            environment: environment,
            accounts: accountStore,
            sessions: sessions,
            devices: SignInDevices(links: links, registered: registered, registrar: registrar, cookies: cookies),
            descents: descents,
            grants: SQLiteOAuthGrantStore(core.database),
            tokens: tokens,
            unitOfWork: core.unitOfWork
        )
    }
}
