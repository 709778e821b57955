import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Sessions
import SignIn

/// The sessions and enrolments of faces on the sign-in page.
struct SignInFaceSessions: Sendable {
    let browsers: BrowserSignIn
    let webCookies: CompanionCookies
    let enrolments: SignInEnrolments?
}

/// Face scans on the sign-in page: the server itself is the client of their operations.
///
/// The server keeps the verifier, so that only the page of the interaction can collect the result. An unknown e-mail
/// address gets a decoy, as for any other client.
struct SignInFaces: Sendable {
    let service: OperationService
    let clients: ClientDirectory
    /// The client id for face sign-in pages; `nil` if the config of their surface names none.
    let surfaceClient: String?
    let secrets: SignInSecrets
    let cookies: SignInCookies
    let sessions: SignInFaceSessions
    let following: Following

    /// The enrolment of faces; `nil` if the provider enrols none.
    var enrolments: SignInEnrolments? { sessions.enrolments }

    /// Returns the caller of the interaction's operation, whom only the interaction's page can present.
    ///
    /// An enrolment is followed by the session that started it.
    func caller(_ signIn: SignInContext, _ request: Request) -> Caller {
        Caller(
            challenge: secrets.challenge(of: signIn.id),
            // Not a cookie of the operation: the value shows that this browser keeps cookies.
            bindingCookie: signIn.interaction.browser,
            deviceCookies: SignInCookies.deviceCookies(of: request).digests,
            session: signIn.interaction.proven?.authentication.session
        )
    }

    /// Begins a login, which replaces the interaction's previous one.
    func begin(
        _ request: Request,
        _ context: APIContext,
        for email: String,
        mode: LoginMode,
        in signIn: SignInContext
    ) async throws -> BegunOperation {
        let source = following.source(of: request, context)
        let admission = try await service.admitStart(
            from: source,
            proofs: cookies.proofs(of: request, credential: nil)
        )
        let policy = try policy(of: signIn)
        if let operation = signIn.interaction.operation { _ = try? await service.load(operation) }
        let older = signIn.interaction.operation.map {
            Superseding(Digest256(sha256: $0), provenBy: caller(signIn, request))
        }
        return try await service.begin(
            BeginOperation(
                email: email,
                policy: policy,
                codeChallenge: secrets.challenge(of: signIn.id),
                deviceProof: DeviceProof(cookies: SignInCookies.deviceCookies(of: request).digests),
                binding: OperationBinding(
                    mode: mode,
                    origin: following.origin(of: email, for: policy, mode: mode, request, context)
                ),
                source: source,
                admission: admission,
                superseding: older
            )
        )
    }

    /// Returns the client for face sign-in pages in the current config.
    private func siteClient() throws -> ClientPolicy { try clients.client(named: nil, surface: surfaceClient) }

    /// Returns the policy of the site's own client, under the name of the client to which the person signs in.
    ///
    /// The page collects the result with its verifier, so that no browser has to return a code. The operation always
    /// has its own link.
    func policy(of signIn: SignInContext) throws -> ClientPolicy {
        let own = try siteClient()
        return ClientPolicy(
            clientID: own.clientID,
            audience: own.audience,
            verifier: own.verifier,
            initiators: own.initiators,
            timing: own.timing,
            accessTokenLifetime: own.accessTokenLifetime,
            refreshTokenLifetime: own.refreshTokenLifetime,
            landing: LandingPolicy(
                clientName: signIn.client.name,
                step: own.landing.step == .confirm ? .confirm : .redirect,
                confirmation: own.landing.confirmation,
                // A sign-in for one of the server's own pages is a sign-in to the site itself.
                signsInTo: PageSignIn.Page(rawValue: signIn.client.id) == nil ? signIn.client.id : nil
            )
        )
    }

    // MARK: Result

    /// Opens the browser's session for the session of a scan, and tells `authorizations` who has authenticated.
    ///
    /// Until both are stored, the same grant is delivered again with the same cookie, so that a lost answer does no
    /// harm.
    /// - Throws: ``InteractionEndedError``, also for a session that has ended meanwhile; ``StoreError``.
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
        try await sessions.browsers.open(
            .init(
                cookie,
                replacing: sessions.webCookies.digest(in: request),
                until: grant.issuedAt + (try siteClient().refreshTokenLifetime)
            ),
            for: Interaction.Proven(account: claims.account, authentication: claims.authentication),
            in: signIn.id,
            noting: authorizations
        )
        sessions.webCookies.set(cookie, on: &response)
        cookies.setDevice(delivery.deviceCookie, of: grant.session, on: &response, for: request)
    }

    // MARK: Link

    /// Returns the digits to type on another device; `nil` for a scan on this one.
    func number(of operation: UUIDBits) -> String? {
        service.cache.card(Digest256(sha256: operation))?.operation.binding.number?.text
    }

    /// Whether the scan was opened on another device, where the digits have been typed by then.
    func isOpenedElsewhere(_ operation: UUIDBits) -> Bool {
        guard let operation = service.cache.card(Digest256(sha256: operation))?.operation else { return false }
        return operation.binding.mode == .crossDevice && operation.state.name != .created
    }

    /// Returns the ticket in the request's cookie, if it belongs to the operation: a tossed cookie has no effect.
    func ticket(of operation: UUIDBits, _ request: Request) -> Secret? {
        guard let ticket = IncomingCookies(request)[Self.cookieName(operation)],
            let held = service.cache.card(Digest256(sha256: operation))?.operation.credentials.ticket,
            Digest256(sha256: ticket.expose()).matches(held)
        else { return nil }
        return ticket
    }

    /// Returns the cookie that keeps the ticket for the page, because the server keeps only its digest.
    func ticketCookie(_ begun: BegunOperation, isSecure: Bool) -> OutgoingCookie {
        OutgoingCookie(
            name: Self.cookieName(begun.publicID),
            value: begun.ticket,
            path: "/oauth/sign-in",
            maxAge: begun.operation.request.policy.timing.lifetime,
            isSecure: isSecure
        )
    }

    /// Returns the cookie's name, different for each operation, so that two in one browser do not overwrite each other.
    private static func cookieName(_ operation: UUIDBits) -> String {
        "vst_scan_" + String(Digest256(sha256: operation).prefixWord, radix: 36)
    }
}
