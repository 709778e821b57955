package import Accounts
import HTTPTypes
import Hummingbird
import Kernel
package import OAuth
package import SignIn
import Web

/// The sign-in page of authorization requests: a person chooses how to sign in, consents to the client's scopes, or
/// refuses.
///
/// Every form and script leads back to the page itself, which asks ``AuthorizationService`` for the next step. Only the
/// browser with the interaction's cookie gets an answer.
package struct SignInPageAPI: Sendable {
    let service: AuthorizationService
    let clients: OAuthClientDirectory
    let accounts: AccountService
    let cookies: CompanionCookies
    let browser: BrowserProof
    let secrets: SignInSecrets
    let limits: AddressGate
    let codes: CodeIssuing
    let settings: SitePageSettings
    /// `nil` if face sign-in is off.
    let faces: SignInFaces?
    /// `nil` if passkeys are off.
    let passkeys: SignInPasskeys?
    let body: JSONBody
    let pages: SignInPages
    let ownPages: OwnPages

    package init(
        service: AuthorizationService,
        clients: OAuthClientDirectory,
        accounts: AccountService,
        cookies: CompanionCookies,
        browser: BrowserProof,
        secrets: SignInSecrets,
        limits: AddressGate,
        codes: CodeIssuing,
        settings: SitePageSettings,
        faces: SignInFaces?,
        passkeys: SignInPasskeys?
    ) {
        self.service = service
        self.clients = clients
        self.accounts = accounts
        self.cookies = cookies
        self.browser = browser
        self.secrets = secrets
        self.limits = limits
        self.codes = codes
        self.settings = settings
        self.faces = faces
        self.passkeys = passkeys
        body = JSONBody(limit: settings.bodyLimit)
        pages = SignInPages(site: settings.site)
        ownPages = OwnPages(publicURL: settings.publicURL)
    }

    package var routes: [Route] {
        let page = "/oauth/sign-in/{id}"
        let visiting = OpenAccess.holder(of: .interactionCookie, heeding: .webSession)
        let signing = OpenAccess.holder(of: .interactionCookie, heeding: .webSession, .deviceCookie)
        let showing = OpenAccess.holder(of: .interactionCookie, heeding: .credentials, .webSession, .deviceCookie)
        return [
            Route(.get, page, access: visiting, use: showPage),
            Route(.post, page + "/face", access: signing, use: startFace),
            Route(.get, page + "/wait", access: signing, use: wait),
            Route(.get, page + "/events", access: .holder(of: .interactionCookie), use: events),
            Route(.post, page + "/passkey/options", access: .holder(of: .interactionCookie), use: passkeyOptions),
            Route(.post, page + "/passkey", access: showing, use: signInWithPasskey),
            Route(.post, page + "/consent", access: visiting, use: consent),
            Route(.post, page + "/cancel", access: .holder(of: .interactionCookie), use: cancel),
        ]
    }

    /// `GET /oauth/sign-in/{id}`: the next step, and at the end the redirect back to the client.
    private func showPage(_ request: Request, _ context: APIContext) async throws -> Response {
        // A trailing slash would break the page's relative addresses.
        guard !request.uri.path.hasSuffix("/") else { throw APIError.notFound }
        return try await show(request, context, isBelow: false) { try await next($0) }
    }

    private func next(_ signIn: SignInContext) async throws -> Response {
        switch try await step(of: signIn) {
        case .signIn(let ways, let hint): return try await choice(ways, signIn, email: hint)
        case .consent(let scopes): return try await ask(for: scopes, signIn)
        case .answer(let answer): return AnswerResponse.make(answer, in: signIn.texts)
        case .grant(let grant):
            guard let answer = try await codes.answer(signIn.interaction, with: grant) else {
                throw InteractionEndedError()
            }
            return AnswerResponse.make(answer, in: signIn.texts)
        }
    }

    func step(of signIn: SignInContext) async throws -> AuthorizationStep {
        var hasConsented = false
        if let person = signIn.person {
            hasConsented = try await service.hasConsented(person, to: signIn.interaction.request)
        }
        return service.step(
            signIn.interaction,
            session: signIn.session,
            client: signIn.client,
            hasConsented: hasConsented
        )
    }

    /// Returns the page that offers the enabled ones of these ways, with `email` in its field and `fault` beside it.
    func choice(
        _ ways: Set<SignInWay>,
        _ signIn: SignInContext,
        email: String?,
        fault: SignInKey? = nil
    ) async throws -> Response {
        let offered = ways.filter { $0 == .face ? faces != nil : passkeys != nil }
        var shown = email
        if shown == nil, let proven = signIn.interaction.proven {
            shown = try await accounts.active(proven.account)?.profile.email?.text
        }
        return pages.choice(
            .init(ways: offered, isSecond: signIn.interaction.proven != nil, email: shown ?? "", fault: fault),
            of: signIn.client.name,
            at: signIn.location,
            in: signIn.texts
        )
    }
}
