import Accounts
import Devices
import HTTPAPI
import Hummingbird
import Kernel
import Logging
import OAuth
import Operations
import Passkeys
import Sessions
import Settings
import SignIn
import Storage
import Tokens

/// The HTTP API as the config wants it.
struct PublicAPI: Sendable {
    let drain: DrainSwitch
    let composition: Composition
    let deviceLimits: DeviceLimits?
    let bankLimits: BankLimits?
    let passkeyLimits: PasskeyLimits?
    let deviceFlowLimits: DeviceFlowLimits?
    let refreshLimits: RefreshLimits?
    let usedProofs: UsedProofs

    /// `proofCapacity`: The number of used DPoP proofs that are remembered.
    init(_ composition: Composition, proofCapacity: Int = UsedProofs.capacity) {
        deviceLimits = composition.settings.limits.off ? nil : DeviceLimits(environment: composition.environment)
        let limits = composition.settings.limits
        bankLimits =
            limits.off
            ? nil : BankLimits(environment: composition.environment, addresses: composition.settings.clientAddresses)
        passkeyLimits =
            limits.off ? nil : PasskeyLimits(environment: composition.environment, rates: limits.passkeyRates)
        deviceFlowLimits = limits.off ? nil : DeviceFlowLimits(environment: composition.environment)
        refreshLimits = composition.settings.limits.off ? nil : RefreshLimits(clock: composition.environment.clock)
        usedProofs = UsedProofs(environment: composition.environment, capacity: proofCapacity)
        self.composition = composition
        drain = DrainSwitch(cache: composition.service.cache)
    }

    /// `settings`: the config with the port that is really bound.
    func table(_ settings: Settings) -> RouteTable {
        let health = HealthAPI(
            version: Version.number,
            service: composition.service,
            drain: drain,
            clock: composition.environment.clock,
            outcomes: composition.readiness
        ) {
            [unitOfWork = composition.unitOfWork] in try await unitOfWork.checkDurable()
        }
        let webhooks = WebhookAPI(intake: composition.webhooks, bodyLimit: settings.limits.bodyBytes)
        var routes = health.routes + KeysAPI(ring: composition.keys).routes + webhooks.routes + DocumentAPI().routes
        if let surface = settings.surfaces["bbms"], surface.enabled {
            routes += faceLogin(settings, surface).routes
            routes += owner(settings).routes
            routes += enrolment(settings).routes
            routes += registration(settings, surface, keepsCookies: true).routes
            routes += passwords(settings, surface, keepsCookies: true).routes
        }
        if let surface = cookieSurface(settings) {
            routes += mailLogin(settings, surface, keepsCookies: true).routes
            routes += refreshes(settings).routes
        }
        if settings.surfaces.values.contains(where: \.enabled) {
            routes +=
                MailLinksAPI(
                    codes: composition.mailProofs.codes,
                    proofs: composition.mailProofs.addresses,
                    linked: composition.linkedDevices,
                    following: following(settings)
                ).routes
            routes += passwordChange(settings).routes + emailChange(settings).routes + signOut(settings).routes
            routes +=
                OwnSessionsAPI(
                    accounts: composition.accounts,
                    sessions: composition.sessions,
                    environment: composition.environment
                ).routes
        }
        routes += passkeyRoutes(settings) + assetRoutes(settings) + oauthClientRoutes(settings)
        routes += authorizationServer(settings)
        routes += dataRoutes(settings, clients: composition.oauth.directory)
        if let surface = settings.surfaces["mobile"], surface.enabled {
            routes += mailLogin(settings, surface, keepsCookies: false).mobileRoutes
            routes += refreshes(settings).mobileRoutes + signOut(settings).mobileRoutes
            routes += approval(settings).routes
            routes += devices(settings, surface) + walletRoutes(settings, surface)
            routes += registration(settings, surface, keepsCookies: false).mobileRoutes
            routes += passwords(settings, surface, keepsCookies: false).mobileRoutes
        }
        return RouteTable(routes, behind: gate(settings))
    }

    /// The surface whose client mail signs in to for browsers and apps that keep cookies; `nil` where there are none.
    ///
    /// This holds with passkeys alone as well: a person who lost the last of them signs in by a code.
    private func cookieSurface(_ settings: Settings) -> SurfaceSettings? {
        for name in ["bbms", "passkeys", "yapt"] {
            if let surface = settings.surfaces[name], surface.enabled { return surface }
        }
        return nil
    }

    func responder(_ settings: Settings) -> PublicResponder {
        let metrics = composition.metrics.map { RouteMetrics($0, clock: composition.environment.clock) }
        return table(settings).responder(
            edge: EdgeMiddleware(
                environment: composition.environment,
                isHTTPS: settings.publicURL.hasPrefix("https://"),
                bodyLimit: settings.limits.bodyBytes,
                accessLog: settings.log.access ? composition.logger : nil,
                errorLog: composition.logger,
                addresses: settings.clientAddresses,
                metrics: metrics,
                refusals: composition.service.refusals,
                crossOrigin: CrossOrigin(origins: settings.listen.corsOrigins, publicURL: settings.publicURL),
                drain: drain
            ),
            metrics: metrics
        )
    }

    private func owner(_ settings: Settings) -> OwnerAPI {
        OwnerAPI(service: composition.service) { [tickets = composition.backchannel.tickets] operation in
            "\(settings.publicURL)/go/\(tickets.ticket(of: operation).expose())"
        }
    }

    private func enrolment(_ settings: Settings) -> EnrolmentAPI {
        EnrolmentAPI(
            service: composition.service,
            clients: settings.clientDirectory,
            publicURL: settings.publicURL,
            following: following(settings),
            requiresVerifiedEmail: settings.accounts.requireVerifiedEmail,
            coolingOff: coolingOff,
            environment: composition.environment
        ) {
            [accounts = composition.accounts, service = composition.service, provider = settings.faceLogin.provider] id
            in
            guard let record = try await accounts.active(id),
                record.enrolments.contains(where: { $0.provider == provider && $0.isActive })
            else { return nil }
            // A face that came with the account, or long ago, is there since the account is.
            return try await service.enrolledAt(id) ?? record.account.createdAt
        }
    }

    /// The devices that accounts have signed in on.
    var links: DeviceLinks {
        DeviceLinks(
            environment: composition.environment,
            unitOfWork: composition.unitOfWork,
            store: composition.deviceLinks
        )
    }

    /// The rule for what new keys and faces are worth.
    var coolingOff: CoolingOff {
        CoolingOff(
            keySetUpAt: { [keys = composition.devices.keys] in try await keys.keySetUpAt($0, of: $1) },
            passkeys: { [owned = composition.passkeys.owned] account in
                try await owned.list(of: account).map { (id: $0.id, madeAt: $0.createdAt) }
            },
            wasFaceEnrolled: { [service = composition.service] in
                try await service.hasEnrolled($0, after: $1, until: $2)
            }
        )
    }

    private func refreshes(_ settings: Settings) -> RefreshAPI {
        RefreshAPI(
            service: composition.refreshes,
            reader: refreshReader(settings),
            tokens: composition.tokens,
            accepted: acceptedClients(settings),
            gate: dpop(settings),
            limits: refreshLimits,
            bodyLimit: settings.limits.bodyBytes,
            cookies: refreshCookies(settings),
            addresses: settings.clientAddresses,
            environment: composition.environment
        )
    }

    private func signOut(_ settings: Settings) -> SignOutAPI {
        SignOutAPI(
            signOut: signOut,
            browsers: composition.passkeys.browsers,
            gate: dpop(settings),
            refreshTokens: refreshReader(settings),
            refreshes: composition.refreshes,
            tokens: composition.tokens,
            accepted: acceptedClients(settings),
            bodyLimit: settings.limits.bodyBytes,
            cookies: refreshCookies(settings),
            webCookies: webCookies(settings),
            environment: composition.environment
        )
    }

    var signOut: SignOut {
        SignOut(
            sessions: composition.sessions,
            ending: composition.ending,
            browsers: composition.passkeys.browsers,
            unitOfWork: composition.unitOfWork
        )
    }

    private func refreshReader(_ settings: Settings) -> RefreshTokenReader {
        RefreshTokenReader(verifier: verifier(settings), limits: refreshLimits, environment: composition.environment)
    }

    func refreshCookies(_ settings: Settings) -> RefreshCookies {
        RefreshCookies(isSecure: settings.publicURL.hasPrefix("https://"), environment: composition.environment)
    }

    func signInCookies(_ settings: Settings) -> SignInCookies {
        SignInCookies(
            factory: composition.deviceCookies,
            refresh: refreshCookies(settings),
            refreshClients: Set(settings.clients.filter { $0.refresh.rotation == .cookieOnly }.map(\.id)),
            isSecure: settings.publicURL.hasPrefix("https://")
        )
    }

    /// How sign-ins without an operation are answered.
    func signInReplies(_ settings: Settings) -> SignInReplies {
        SignInReplies(gate: dpop(settings), tokens: composition.tokens, cookies: signInCookies(settings))
    }

    private func approval(_ settings: Settings) -> ApprovalAPI {
        ApprovalAPI(
            service: composition.service,
            starter: approvalStarter(settings),
            issuer: issuer(settings),
            environment: composition.environment,
            following: following(settings)
        )
    }

    /// The start of approvals, for their own routes and for other requests that a face approves.
    func approvalStarter(_ settings: Settings) -> ApprovalStarter {
        ApprovalStarter(
            service: composition.service,
            clients: settings.clientDirectory,
            callers: callers(settings),
            publicURL: settings.publicURL,
            following: following(settings)
        )
    }

    func following(_ settings: Settings) -> Following {
        Following(
            service: composition.service,
            addresses: settings.clientAddresses,
            clock: composition.environment.clock,
            drain: drain,
            pollInterval: Int(settings.faceLogin.pollInterval.secondsRoundedUp),
            bodyLimit: settings.limits.bodyBytes
        )
    }

    func dpop(_ settings: Settings) -> DPoPGate {
        DPoPGate(publicURL: settings.publicURL, used: usedProofs, environment: composition.environment)
    }

    func issuer(_ settings: Settings) -> TokenIssuer {
        TokenIssuer(issuer: settings.issuer, ring: composition.keys, folder: composition.keyFolder)
    }

    func verifier(_ settings: Settings) -> TokenVerifier {
        TokenVerifier(issuer: settings.issuer, ring: composition.keys, folder: composition.keyFolder)
    }

    private func callers(_ settings: Settings) -> CallerReader {
        CallerReader(
            fingerprintKey: composition.keyFolder.derivedKey(.callerFingerprint),
            gate: dpop(settings),
            addresses: settings.clientAddresses
        )
    }

    /// `authorized`: the authorization server's client of an id; `nil` for those that there are.
    func acceptedClients(
        _ settings: Settings,
        authorized: (@Sendable (String) -> OAuthClient?)? = nil
    ) -> AcceptedClients {
        let directory = settings.clientDirectory
        let wallet = try? directory.client(named: nil, surface: settings.surfaces["mobile"]?.client)
        return AcceptedClients(
            directory,
            audiences: settings.audiences,
            wallet: wallet?.audience,
            authorized: authorized ?? { [directory = composition.oauth.directory] in directory.client($0) }
        )
    }

    /// The gate that verifies access tokens; `authorized`: as in ``acceptedClients(_:authorized:)``.
    func gate(_ settings: Settings, authorized: (@Sendable (String) -> OAuthClient?)? = nil) -> AccessGate {
        AccessGate(
            SignedInReader(
                tokens: AccessTokenReader(
                    verifier: verifier(settings),
                    clients: acceptedClients(settings, authorized: authorized),
                    gate: dpop(settings),
                    environment: composition.environment
                ),
                accounts: composition.accounts,
                sessions: composition.sessions,
                browsers: composition.passkeys.browsers,
                cookies: webCookies(settings),
                environment: composition.environment
            ),
            service: composition.service
        )
    }

    private func faceLogin(_ settings: Settings, _ surface: SurfaceSettings) -> FaceLoginAPI {
        FaceLoginAPI(
            clients: settings.clientDirectory,
            tokens: composition.tokens,
            callers: callers(settings),
            cookies: signInCookies(settings),
            environment: composition.environment,
            settings: .init(
                publicURL: settings.publicURL,
                surfaceClient: surface.client,
                scanOrigins: settings.scanOrigins
            ),
            following: following(settings),
            passkeys: settings.servesPasskeys ? ceremonies(settings, .unserved) : nil,
            proofs: AccountProofs(
                browser: browserProof(settings),
                links: links,
                clients: settings.clients.map(\.id),
                coolingOff: coolingOff
            ),
            signIn: settings.oauth.enabled
                ? pageSignIn(.landing, settings, service: composition.authorization.service) : nil
        )
    }
}
