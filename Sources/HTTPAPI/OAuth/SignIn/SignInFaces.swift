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
    /// The clients that stand for pages of this server: nobody knows them by name.
    private static let ownPages: Set<String> = [DeviceSignIn.clientID, LandingSignIn.clientID]

    private let service: OperationService
    private let clients: ClientDirectory
    /// The client of the pages for signing in by a face; `nil` where their surface names none.
    private let surfaceClient: String?
    let secrets: SignInSecrets
    let cookies: SignInCookies
    let browsers: BrowserSignIn
    let webCookies: WebSessionCookies
    let following: Following

    package init(
        service: OperationService,
        clients: ClientDirectory,
        surfaceClient: String?,
        secrets: SignInSecrets,
        cookies: SignInCookies,
        browsers: BrowserSignIn,
        webCookies: WebSessionCookies,
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
    func caller(_ visit: SignInVisit, _ request: Request) -> Caller {
        Caller(
            challenge: secrets.challenge(of: visit.id),
            // None of the operation's: it says that this browser keeps cookies.
            bindingCookie: visit.interaction.browser,
            deviceCookies: SignInCookies.brought(request).digests
        )
    }

    /// Begins a login, in the place of the one that the interaction had before.
    func begin(
        _ email: String,
        _ mode: LoginMode,
        _ visit: SignInVisit,
        _ request: Request,
        _ context: APIContext
    ) async throws -> BegunOperation {
        let (source, brought) = (following.source(of: request, context), SignInCookies.brought(request))
        let proofs = BroughtProofs(
            minted: brought.digests { cookies.isMinted($0) },
            others: brought.digests { !cookies.isMinted($0) }
        )
        let admission = try service.admitStart(from: source, proofs: proofs)
        let policy = try policy(of: visit)
        let older = visit.interaction.operation.map {
            Superseding(Digest256(sha256: $0), provenBy: caller(visit, request))
        }
        return try await service.begin(
            BeginOrder(
                email: email,
                policy: policy,
                codeChallenge: secrets.challenge(of: visit.id),
                deviceCookies: brought.digests,
                mode: mode,
                origin: origin(of: email, policy, mode, request, context),
                source: source,
                admission: admission,
                superseding: older
            )
        )
    }

    /// The client of the pages for signing in by a face, as the config has it now.
    func siteClient() throws -> ClientPolicy { try clients.client(named: nil, surface: surfaceClient) }

    /// The site's own client, under the name of the client that the person signs in to.
    ///
    /// The page collects by its verifier, so that no browser has to bring a code back; and it always has a link of its own.
    private func policy(of visit: SignInVisit) throws -> ClientPolicy {
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
                clientName: visit.client.name,
                step: own.landing.step == .confirm ? .confirm : .redirect,
                confirmation: own.landing.confirmation,
                // The server's own pages sign in to the site itself.
                signsInTo: Self.ownPages.contains(visit.client.id) ? nil : visit.client.id
            )
        )
    }

    /// What the account's owner will be told about this request, and the page, where it says anything.
    private func origin(
        of email: String,
        _ policy: ClientPolicy,
        _ mode: LoginMode,
        _ request: Request,
        _ context: APIContext
    ) -> LoginOrigin {
        let isShown = policy.landing.step == .confirm || mode == .crossDevice
        return LoginOrigin(
            email: isShown ? MaskedEmail.mask(email) : "",
            address: following.addresses.client(of: request, context)?.description ?? "",
            agent: AgentFamily.describe(request.headers[.userAgent])
        )
    }

    // MARK: What came of it

    /// Where the scan stands; collects what it is worth once it is approved.
    ///
    /// `nil` for an operation that is long over.
    func poll(_ operation: UUIDBits, _ caller: Caller) async throws -> PollView? {
        try await service.poll(Digest256(sha256: operation), caller)
    }

    /// The page has what came of it, and nobody is handed it again.
    func settle(_ operation: UUIDBits, _ caller: Caller) async throws {
        _ = try await service.acknowledge(Digest256(sha256: operation), caller)
    }

    /// The person gave up.
    func giveUp(_ operation: UUIDBits, _ caller: Caller) async throws {
        _ = try await service.cancel(Digest256(sha256: operation), caller)
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
