import Accounts
import Devices
import Kernel
import OAuth
import Operations
import Passkeys
import Tokens

/// The HTTP API as the config describes it: its routes, made of the features' use cases.
package struct PublicAPI: Sendable {
    /// The switch that the daemon uses when it stops.
    package let drain: DrainSwitch
    var services: HTTPServices
    var configuration: HTTPConfiguration
    var limits: FeatureLimits
    let usedProofs: UsedProofs

    /// `proofCapacity`: The number of used DPoP proofs that are remembered.
    package init(
        _ services: HTTPServices,
        _ configuration: HTTPConfiguration,
        proofCapacity: Int = UsedProofs.capacity
    ) {
        self.services = services
        self.configuration = configuration
        limits = FeatureLimits(configuration, sharing: services.operations.service.limits.sharing)
        usedProofs = UsedProofs(environment: services.core.environment, capacity: proofCapacity)
        drain = DrainSwitch(cache: services.operations.service.cache)
    }

    /// Returns the responder for all requests, including the outermost layer.
    package func responder() -> PublicResponder {
        let core = services.core
        let metrics = core.metrics.map { RouteMetrics($0, clock: core.environment.clock) }
        return table.responder(
            edge: EdgeMiddleware(
                configuration.edge,
                server: server,
                environment: core.environment,
                logger: core.logger,
                metrics: metrics,
                refusals: services.operations.service.refusals,
                drain: drain
            ),
            metrics: metrics
        )
    }

    var table: RouteTable {
        var routes = serverRoutes
        if let surface = surface("bbms") {
            routes += faceLogin(surface).routes + owner.routes + enrolment.routes
            routes += registration(surface, keepsCookies: true).routes + passwords(surface, keepsCookies: true).routes
        }
        // Needed with passkeys alone, too: a person who lost the last passkey signs in by a code.
        if let surface = surface("bbms", "passkeys", "yapt") {
            routes += mailLogin(surface, keepsCookies: true).routes + refreshes.routes
        }
        if !configuration.surfaces.isEmpty { routes += accountRoutes }
        routes += passkeyRoutes + assetRoutes + authorizationServer + dataRoutes + accountCentreRoutes
        if let surface = surface("mobile") {
            routes += mailLogin(surface, keepsCookies: false).mobileRoutes
            routes += refreshes.mobileRoutes + signOut.mobileRoutes + approval.routes
            routes += devices(surface) + wallet(surface)
            routes += registration(surface, keepsCookies: false).mobileRoutes
            routes += passwords(surface, keepsCookies: false).mobileRoutes
        }
        routes += accountAddresses(among: routes).routes
        return RouteTable(routes, behind: gate)
    }

    private var serverRoutes: [Route] {
        let core = services.core
        let health = HealthAPI(
            version: configuration.version,
            service: services.operations.service,
            drain: drain,
            store: StoreProbe(clock: environment.clock, check: core.readiness.checkStore),
            databaseClock: core.readiness.databaseClock,
            peers: core.readiness.peers,
            outcomes: core.readiness.counts
        )
        let webhooks = WebhookAPI(intake: services.operations.webhooks, bodyLimit: server.bodyLimit)
        return health.routes + KeysAPI(ring: core.keys).routes + webhooks.routes + DocumentAPI().routes
            + IconAPI().routes + RobotsAPI().routes + securityText
    }

    private var securityText: [Route] {
        configuration.securityText.map {
            SecurityTextAPI(content: $0, publicURL: server.publicURL, environment: environment).routes
        } ?? []
    }

    private func accountAddresses(among routes: [Route]) -> AccountAddressesAPI {
        AccountAddressesAPI(
            publicURL: server.publicURL,
            among: routes,
            servesPasskeys: configuration.passkeys.isServed
        )
    }

    /// Returns the first of these surfaces that is enabled.
    func surface(_ names: String...) -> SurfaceConfiguration? {
        names.lazy.compactMap { configuration.surfaces[$0] }.first
    }
}

/// The limits of features; all `nil` if the config switches limits off.
struct FeatureLimits: Sendable {
    let devices: DeviceLimits?
    let banks: BankLimits?
    let passkeys: PasskeyLimits?
    var deviceFlow: DeviceFlowLimits?
    let refreshes: RefreshLimits?
    var clients: ClientLimits?

    init(_ configuration: HTTPConfiguration, sharing: LimitSharing) {
        switch configuration.limits {
        case .off: (devices, banks, passkeys, deviceFlow, refreshes, clients) = (nil, nil, nil, nil, nil, nil)
        case .on(let rates):
            devices = DeviceLimits(sharing: sharing)
            banks = BankLimits(sharing: sharing, addresses: configuration.server.addresses)
            passkeys = PasskeyLimits(sharing: sharing, rates: rates)
            deviceFlow = DeviceFlowLimits(sharing: sharing)
            refreshes = RefreshLimits(sharing: sharing)
            clients = ClientLimits(sharing: sharing)
        }
    }
}

// The parts that routes of several features share.
extension PublicAPI {
    var server: ServerConfiguration { configuration.server }

    var environment: Environment { services.core.environment }

    /// Checks access tokens for routes.
    var gate: AccessGate {
        let sessions = services.sessions
        return AccessGate(
            SignedInReader(
                tokens: AccessTokenReader(
                    verifier: verifier,
                    clients: acceptedClients,
                    gate: dpop,
                    environment: environment
                ),
                accounts: services.accounts.accounts,
                sessions: sessions.sessions,
                browsers: sessions.browsers,
                cookies: server.webSessionCookie,
                environment: environment
            ),
            service: services.operations.service
        )
    }

    var acceptedClients: AcceptedClients {
        let clients = configuration.clients
        // Without the wallet's surface no client counts as the wallet's, not even the default one.
        let wallet = surface("mobile").flatMap { try? clients.directory.client(named: nil, surface: $0.client) }
        return AcceptedClients(
            clients.directory,
            audiences: clients.audiences,
            wallet: wallet?.audience,
            authorized: { [directory = services.oauth.clients.directory] in directory.client($0) }
        )
    }

    var verifier: TokenVerifier {
        TokenVerifier(issuer: server.issuer, ring: services.core.keys, folder: services.core.keyFolder)
    }

    var issuer: TokenIssuer {
        TokenIssuer(issuer: server.issuer, ring: services.core.keys, folder: services.core.keyFolder)
    }

    var dpop: DPoPGate {
        DPoPGate(
            publicURL: server.publicURL,
            used: usedProofs,
            marks: services.core.usedMarks.store,
            environment: environment
        )
    }

    var callers: CallerReader {
        let key = services.core.keyFolder.derivedKey(.callerFingerprint)
        return CallerReader(fingerprints: KeyedHash(key: key), gate: dpop, addresses: server.addresses)
    }

    var addressGate: AddressGate {
        AddressGate(service: services.operations.service, addresses: server.addresses)
    }

    var following: Following {
        Following(
            service: services.operations.service,
            addresses: server.addresses,
            clock: environment.clock,
            drain: drain,
            pollInterval: configuration.faceLogin.pollInterval,
            bodyLimit: server.bodyLimit
        )
    }

    /// Decides when new keys and faces count as proof.
    var coolingOff: CoolingOff {
        CoolingOff(
            keySetUpAt: { [keys = services.devices.keys] in try await keys.keySetUpAt($0, of: $1) },
            passkeys: { [owned = services.passkeys.owned] account in
                try await owned.list(of: account).map { ($0.id, $0.addition) }
            },
            wasFaceEnrolled: { [service = services.operations.service] in
                try await service.hasEnrolled($0, after: $1, until: $2)
            }
        )
    }

    /// Decides what a person needs to add a passkey or a face.
    var enrolmentPolicy: AuthenticatorEnrolmentPolicy {
        AuthenticatorEnrolmentPolicy(
            coolingOff: coolingOff,
            means: services.accounts.owner.means,
            accountMadeAt: { [accounts = services.accounts.accounts] in
                try await accounts.active($0)?.account.createdAt
            },
            holdsForApps: configuration.addsMeansByOlderOnes
        )
    }

    /// Finds the person of a browser's session cookie.
    var browserProof: BrowserProof {
        BrowserProof(
            accounts: services.accounts.accounts,
            browsers: services.sessions.browsers,
            cookies: server.webSessionCookie
        )
    }

    var refreshCookies: RefreshCookies { RefreshCookies(isSecure: server.isSecure, environment: environment) }

    /// Answers sign-ins that are not operations.
    var signInReplies: SignInReplies {
        SignInReplies(
            gate: dpop,
            tokens: services.sessions.tokens,
            cookies: SignInCookies(
                factory: services.sessions.deviceCookies,
                refresh: refreshCookies,
                refreshClients: configuration.clients.withRefreshCookie,
                isSecure: server.isSecure
            )
        )
    }

    func accountSurface(_ surface: SurfaceConfiguration, keepsCookies: Bool) -> AccountSurface {
        AccountSurface(surface: surface, clients: configuration.clients.directory, keepsCookies: keepsCookies)
    }
}
