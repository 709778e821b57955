import Accounts
import Devices
import Kernel
import Operations
import Passkeys
import Sessions
import Settings
import SignIn
import Tokens

/// Sessions: how they are opened and ended, their tokens, and their devices.
struct SessionFeature: Sendable {
    let accountStore: any AccountStore
    let sessions: SessionService
    let devices: SignInDevices
    let notices: OwnerNotices
    let descent: DescentEnding
    let activeSessions: ActiveSessionsAdapter
    let tokens: TokenSet
    let door: Door

    init(_ core: CoreFeature, notices ends: any SessionEndNotices) {
        let (environment, settings, auditLog) = (core.environment, core.settings, core.audit.chain)
        let descents = core.stores.sessions.descents
        accountStore = core.stores.people.accounts
        sessions = SessionService(
            environment: environment,
            store: core.stores.sessions.sessions,
            auditLog: auditLog,
            revoked: RevokedSessions(
                lasting: settings.longestAccessToken,
                startedAt: core.startedAt,
                feed: core.stores.upkeep.feed
            ),
            notices: ends
        )
        notices = OwnerNotices(
            store: accountStore,
            mailer: core.mail.mailer,
            service: core.configured.serviceName
        )
        devices = SignInDevices(
            links: DeviceLinks(
                environment: environment,
                unitOfWork: core.stores.unitOfWork,
                store: core.stores.people.devices.links
            ),
            registered: RegisteredDevices(
                environment: environment,
                store: core.stores.people.devices.registered,
                keys: core.stores.people.devices.keys
            ),
            registrar: DeviceFeature.registrar(core, notices: notices, sessions: sessions),
            cookies: DeviceCookieFactory(key: core.secrets.folder.derivedKey(.deviceCookie))
        )
        descent = DescentEnding(
            store: descents,
            sessions: sessions,
            links: devices.links,
            cookies: devices.cookies,
            registered: devices.registered,
            auditLog: auditLog
        )
        activeSessions = ActiveSessionsAdapter(accounts: accountStore, sessions: sessions, ending: descent)
        tokens = TokenSet(
            issuer: TokenIssuer(issuer: settings.issuer, ring: core.secrets.ring, folder: core.secrets.folder),
            succession: RefreshSuccession(core.secrets.folder),
            accounts: accountStore,
            clients: settings.clientDirectory,
            longest: settings.longestAccessToken,
            environment: environment
        )
        door = Door(
            environment: environment,
            accounts: accountStore,
            sessions: sessions,
            devices: devices,
            descents: descents,
            grants: core.stores.oauth.grants,
            tokens: tokens,
            unitOfWork: core.stores.unitOfWork
        )
    }
}

/// The refresh and the ending of sessions.
struct SessionLifecycleFeature: Sendable {
    let ending: EndingService
    let refreshes: RefreshService
    let listening: ListeningSince

    init(
        _ core: CoreFeature,
        _ signIn: SessionFeature,
        devices: OwnedDevices,
        passkeys: OwnedPasskeys,
        operations: OperationService
    ) {
        listening = ListeningSince(startedAt: core.startedAt, nodes: core.stores.upkeep.nodes)
        ending = EndingService(
            descent: signIn.descent,
            environment: core.environment,
            devices: devices,
            passkeys: passkeys,
            codes: core.stores.people.emailCodes,
            operations: operations,
            unitOfWork: core.stores.unitOfWork
        )
        refreshes = RefreshService(
            environment: core.environment,
            unitOfWork: core.stores.unitOfWork,
            store: core.stores.sessions.sessions,
            subjects: RefreshSubjectsAdapter(
                accounts: signIn.accountStore,
                devices: signIn.devices.links,
                registered: signIn.devices.registered
            ),
            sessions: signIn.sessions,
            ending: ending,
            listening: listening,
            policies: core.settings.refreshPolicy
        )
    }
}
