import HTTPTypes
import Hummingbird
import Kernel
import OAuth
package import Operations
import Sessions
package import SignIn

/// Face scans on the sign-in page: the server itself is the client of their operations.
///
/// It holds their verifier, so that nothing but the page of the interaction collects what comes of one. An address that
/// nobody has gets a decoy, as from any other client.
package struct SignInFaces: Sendable {
    let service: OperationService
    private let clients: ClientDirectory
    /// The client of the pages for signing in by a face; `nil` where their surface names none.
    private let surfaceClient: String?
    private let secrets: SignInSecrets
    private let cookies: SignInCookies
    private let browsers: BrowserSignIn
    private let webCookies: CompanionCookies
    let following: Following

    package init(
        service: OperationService,
        clients: ClientDirectory,
        surfaceClient: String?,
        secrets: SignInSecrets,
        cookies: SignInCookies,
        browsers: BrowserSignIn,
        webCookies: CompanionCookies,
        following: Following
    ) {
        self.service = service
        self.clients = clients
        self.surfaceClient = surfaceClient
        self.secrets = secrets
        self.cookies = cookies
        self.browsers = browsers
        self.webCookies = webCookies
        self.following = following
    }

    /// What the page asks an operation by: it is the interaction's own, and no other page's.
    func caller(_ signIn: SignInContext, _ request: Request) -> Caller {
        Caller(
            challenge: secrets.challenge(of: signIn.id),
            // None of the operation's: it says that this browser keeps cookies.
            bindingCookie: signIn.interaction.browser,
            deviceCookies: SignInCookies.brought(request).digests
        )
    }

    /// Begins a login, in the place of the one that the interaction had before.
    func begin(
        _ request: Request,
        _ context: APIContext,
        for email: String,
        mode: LoginMode,
        in signIn: SignInContext
    ) async throws -> BegunOperation {
        let source = following.source(of: request, context)
        let admission = try service.admitStart(from: source, proofs: cookies.proofs(of: request))
        let policy = try policy(of: signIn)
        let older = signIn.interaction.operation.map {
            Superseding(Digest256(sha256: $0), provenBy: caller(signIn, request))
        }
        return try await service.begin(
            BeginOperation(
                email: email,
                policy: policy,
                codeChallenge: secrets.challenge(of: signIn.id),
                deviceCookies: SignInCookies.brought(request).digests,
                mode: mode,
                origin: following.origin(of: email, for: policy, mode: mode, request, context),
                source: source,
                admission: admission,
                superseding: older
            )
        )
    }

    /// The client of the pages for signing in by a face, as the config has it now.
    private func siteClient() throws -> ClientPolicy { try clients.client(named: nil, surface: surfaceClient) }

    /// The site's own client, under the name of the client that the person signs in to.
    ///
    /// The page collects by its verifier, so that no browser has to bring a code back; and it always has a link of its own.
    private func policy(of signIn: SignInContext) throws -> ClientPolicy {
        let own = try siteClient()
        return ClientPolicy(
            clientID: own.clientID,
            audience: own.audience,
            verifier: own.verifier,
            initiators: own.initiators,
            lifetime: own.lifetime,
            approvalWindow: own.approvalWindow,
            redemptionWindow: own.redemptionWindow,
            accessTokenLifetime: own.accessTokenLifetime,
            refreshTokenLifetime: own.refreshTokenLifetime,
            landing: LandingPolicy(
                clientName: signIn.client.name,
                step: own.landing.step == .confirm ? .confirm : .redirect,
                confirmation: own.landing.confirmation,
                // The server's own pages sign in to the site itself.
                signsInTo: PageSignIn.Page(rawValue: signIn.client.id) == nil ? signIn.client.id : nil
            )
        )
    }

    // MARK: What came of it

    /// Makes the session that a scan has opened the browser's, and tells `authorizations` who has proved who they are.
    ///
    /// Until that is durable the same grant is handed out again, and makes the same cookie of it, so that an answer can be
    /// lost.
    /// - Throws: ``InteractionEndedError`` also for a session that was ended meanwhile; ``StoreError``.
    func openSession(
        _ grant: Grant,
        delivery: Delivery,
        in signIn: SignInContext,
        for request: Request,
        noting authorizations: AuthorizationService,
        on response: inout Response
    ) async throws {
        let cookie = secrets.cookie(of: grant.session, in: signIn.id)
        let claims = SessionClaims(grant, of: delivery.person.account, boundTo: nil)
        try await browsers.open(
            .init(
                cookie,
                replacing: webCookies.digest(in: request),
                until: grant.issuedAt + (try siteClient().refreshTokenLifetime)
            ),
            for: Interaction.Proven(account: claims.account, authentication: claims.authentication),
            in: signIn.id,
            noting: authorizations
        )
        webCookies.set(cookie, on: &response)
        cookies.setDevice(delivery.deviceCookie, of: grant.session, on: &response, for: request)
    }

    // MARK: Its link

    /// The digits to carry over to another device; `nil` for a scan on this one.
    func number(of operation: UUIDBits) -> String? {
        service.cache.card(Digest256(sha256: operation))?.operation.binding.number?.text
    }

    /// The ticket that the request's cookie holds, if it is that operation's: one that somebody else planted leads nowhere.
    func ticket(of operation: UUIDBits, _ request: Request) -> Secret? {
        guard let ticket = IncomingCookies(request)[Self.cookieName(operation)],
            let held = service.cache.card(Digest256(sha256: operation))?.operation.ticket,
            Digest256(sha256: ticket.expose()).matches(held)
        else { return nil }
        return ticket
    }

    /// The cookie by which the page finds the link again: the server keeps a digest of it alone.
    func ticketCookie(_ begun: BegunOperation, isSecure: Bool) -> OutgoingCookie {
        OutgoingCookie(
            name: Self.cookieName(begun.publicID),
            value: begun.ticket,
            path: "/oauth/sign-in",
            maxAge: begun.operation.policy.lifetime,
            isSecure: isSecure
        )
    }

    /// Each operation has a name of its own, so that two in one browser don't overwrite each other.
    private static func cookieName(_ operation: UUIDBits) -> String {
        "vst_scan_" + String(Digest256(sha256: operation).prefixWord, radix: 36)
    }
}
