import Kernel
package import OAuth
import Operations
import Tokens

/// The authorization server, and its pages.
extension PublicAPI {
    /// The routes of each part that the config enables.
    var authorizationServer: [Route] {
        let broker = upstreamSignIn
        let page = servesSignInPage ? signInPage.routes : []
        guard configuration.oauth.isEnabled else { return page + (broker?.routes ?? []) }
        return registrationRoutes + authorizationRoutes + page
            + tokenRoutes(backchannelGrant, deviceCodeGrant)
            + backchannel.routes + deviceRoutes + (broker?.routes ?? [])
    }

    /// Identifies the client that sends a request to an OAuth endpoint.
    var clientReader: ClientReader {
        let endpoints = ["token", "par", "revoke", "introspect", "bc-authorize", "device_authorization"]
        return ClientReader(
            authenticator: services.oauth.clients.authenticator,
            audiences: Set([server.issuer] + endpoints.map { "\(server.publicURL)/oauth/\($0)" }),
            limits: limits.clients,
            addresses: server.addresses,
            marks: services.core.usedMarks,
            environment: environment
        )
    }

    private var registrationRoutes: [Route] {
        guard configuration.oauth.takesRegistrations else { return [] }
        return ClientRegistrationAPI(
            service: services.oauth.clients.registrations,
            limits: limits.clients,
            addresses: server.addresses
        ).routes
    }

    /// The authorization endpoint, and the endpoint for pushed requests.
    var authorizationRoutes: [Route] {
        let requests = services.oauth.authorization
        let authorize = AuthorizeAPI(
            requests: requests,
            browser: browserProof,
            limits: addressGate,
            environment: environment,
            server: server,
            broker: upstreamSignIn,
            pages: AuthorizePages(root: server.root)
        )
        let pushing = PushedRequestAPI(
            clients: clientReader,
            pushed: requests.pushed,
            gate: dpop,
            limits: addressGate
        )
        return authorize.routes + pushing.routes
    }

    // MARK: Pages

    /// Whether anybody is sent to the sign-in page: clients, or people who open the site's page themselves.
    var servesSignInPage: Bool { configuration.oauth.isEnabled || servesSite }

    /// Whether the site's pages are served.
    var servesSite: Bool { configuration.passkeys.isServed && surface("passkeys") != nil }

    var signInPage: SignInPageAPI {
        let secrets = SignInSecrets(key: services.core.keyFolder.derivedKey(.signInPage))
        return SignInPageAPI(
            requests: services.oauth.authorization,
            clients: services.oauth.clients.directory,
            browser: browserProof,
            secrets: secrets,
            limits: addressGate,
            server: server,
            offers: SignInOffers(
                faces: signInFaces(secrets),
                passkeys: signInPasskeys,
                mail: signInMail,
                passwords: signInPasswords,
                registration: signInRegistration,
                memory: BrowserMemory(isSecure: server.isSecure),
                setUp: SignInSetUp(enrolmentPolicy: enrolmentPolicy, environment: environment)
            ),
            pages: SignInPages(hasSite: servesSite, hasAccount: servesAccountCentre)
        )
    }

    /// The sign-in through which a browser proves its person before a page continues.
    func pageSignIn(_ page: PageSignIn.Page) -> PageSignIn {
        PageSignIn(
            page: page,
            service: services.oauth.authorization.service,
            server: server,
            environment: environment
        )
    }

    /// `nil` if the surface of the face login, and so its landing page, is off.
    private func signInFaces(_ secrets: SignInSecrets) -> SignInFaces? {
        guard let surface = surface("bbms") else { return nil }
        return SignInFaces(
            service: services.operations.service,
            clients: configuration.clients.directory,
            surfaceClient: surface.client,
            secrets: secrets,
            cookies: signInReplies.cookies,
            sessions: SignInFaceSessions(
                browsers: services.sessions.browserSignIn,
                webCookies: server.webSessionCookie,
                enrolments: signInEnrolments
            ),
            following: following
        )
    }

    /// `nil` if the provider of logins enrols no faces.
    private var signInEnrolments: SignInEnrolments? {
        guard services.operations.service.enrolsFaces else { return nil }
        return SignInEnrolments(requiresVerifiedEmail: configuration.faceLogin.requiresVerifiedEmail)
    }

    /// The sign-ins that the page makes for the site's own client.
    private func signInSessions(_ surface: SurfaceConfiguration) -> SignInSessions {
        SignInSessions(
            surface: accountSurface(surface, keepsCookies: true),
            linked: services.accounts.linked,
            browsers: services.sessions.browserSignIn,
            webCookies: server.webSessionCookie,
            deviceCookies: signInReplies.cookies,
            environment: environment
        )
    }

    /// Mailed codes, wherever a surface takes them.
    private var signInMail: SignInMail? {
        surface("bbms", "passkeys", "yapt").map { surface in
            SignInMail(
                codes: services.accounts.mail.codes,
                signIn: services.accounts.mail.signIn,
                sessions: signInSessions(surface),
                gate: addressGate
            )
        }
    }

    /// Passwords, where the surface of the face login takes them.
    private var signInPasswords: SignInPasswords? {
        surface("bbms").map { surface in
            SignInPasswords(
                service: services.accounts.passwords,
                signIn: services.accounts.passwordSignIn,
                sessions: signInSessions(surface)
            )
        }
    }

    /// `nil` if no surface opens accounts.
    private var signInRegistration: SignInRegistration? {
        let takesPasskeys = signInPasskeys?.ceremonies.site.opensAccounts == true
        var passwords: SignInRegistration.ByPassword?
        if let surface = surface("bbms"), surface.isRegistrationOpen {
            passwords = SignInRegistration.ByPassword(
                service: services.accounts.registrations,
                opening: services.accounts.opening,
                sessions: signInSessions(surface),
                gate: addressGate
            )
        }
        guard takesPasskeys || passwords != nil else { return nil }
        return SignInRegistration(takesPasskeys: takesPasskeys, passwords: passwords)
    }

    /// Passkeys on the sign-in page, for the site's own client; `nil` without passkeys.
    private var signInPasskeys: SignInPasskeys? {
        guard configuration.passkeys.isServed else { return nil }
        let surface = surface("passkeys", "yapt", "bbms") ?? .unserved
        return SignInPasskeys(
            ceremonies: ceremonies(surface),
            signIns: passkeySessions(surface),
            links: services.passkeys.descents
        )
    }

    // MARK: Devices without a browser

    /// The route where a device requests its codes, and the page where a person approves them.
    var deviceRoutes: [Route] {
        let codes = DeviceAuthorizationAPI(
            service: services.oauth.deviceFlow.service,
            clients: clientReader,
            limits: limits.deviceFlow,
            sourceKey: services.passkeys.sourceKey,
            server: server
        )
        let page = DevicePageAPI(
            flow: services.oauth.deviceFlow,
            clients: services.oauth.clients.directory,
            browser: browserProof,
            signIn: pageSignIn(.device),
            limits: limits.deviceFlow,
            environment: environment,
            server: server,
            pages: DevicePages()
        )
        return codes.routes + page.routes
    }

    var deviceCodeGrant: DeviceCodeGrant {
        DeviceCodeGrant(
            codes: services.oauth.deviceFlow.redemption,
            gate: dpop,
            tokens: services.sessions.tokens,
            limits: limits.deviceFlow
        )
    }

    // MARK: Requests of clients whose person is elsewhere

    var backchannel: BackchannelAPI {
        BackchannelAPI(
            clients: clientReader,
            reader: BackchannelRequestReader(
                issuer: server.issuer,
                policy: configuration.oauth.backchannel,
                hints: IdentityHints(verifier: verifier, environment: environment),
                memory: services.oauth.backchannel.memory
            ),
            flow: backchannelFlow,
            publicURL: server.publicURL,
            environment: environment
        )
    }

    var backchannelGrant: CIBAGrant {
        CIBAGrant(
            requests: services.oauth.backchannel.service,
            flow: backchannelFlow,
            gate: dpop,
            tokens: services.sessions.tokens,
            clock: environment.clock,
            drain: drain,
            isPaced: configuration.limits != .off
        )
    }

    /// The results that are pushed to clients.
    package var backchannelResults: any BackchannelResults {
        BackchannelPushes(
            flow: backchannelFlow,
            tokens: services.sessions.tokens,
            clients: services.oauth.clients.directory
        )
    }

    private var backchannelFlow: BackchannelFlow {
        let backchannel = services.oauth.backchannel
        return BackchannelFlow(
            service: services.operations.service,
            requests: backchannel.service,
            door: backchannel.door,
            tickets: backchannel.tickets
        )
    }

    // MARK: Upstreams

    /// The redirects of browsers to the upstreams and back; `nil` without upstreams.
    private var upstreamSignIn: UpstreamSignIn? {
        services.oauth.upstreams.map {
            UpstreamSignIn(broker: $0, isSecure: server.isSecure, pages: SignInPages())
        }
    }

    /// `GET /api/data`, if the config names the client for which it is served.
    var dataRoutes: [Route] {
        let client = configuration.oauth.dataClient.flatMap { services.oauth.clients.directory.client($0) }
        guard let client else { return [] }
        let broker = services.oauth.upstreams.flatMap { broker in
            client.authorization.upstream.flatMap { broker.upstreams[$0] }.map {
                (service: broker.service, upstream: $0)
            }
        }
        return DataAPI(
            signIn: SignInAddress(client: client, publicURL: server.publicURL, environment: environment),
            issuer: server.issuer,
            broker: broker
        ).routes
    }
}
