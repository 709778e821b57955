package import Accounts
import HTTPTypes
import Hummingbird
import Kernel
package import OAuth
package import SignIn
import Web

/// The sign-in page of authorization requests: a person chooses how to sign in, agrees to what the client asks for, or
/// says no.
///
/// Every answer of a form or a script leads back to the page itself, which asks ``AuthorizationService`` what is to be done
/// next: no step leads to another. All of it is for the one browser that has the interaction's cookie.
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
    /// `nil` where nobody signs in by a face.
    let faces: SignInFaces?
    /// `nil` where nobody has passkeys.
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

    /// `GET /oauth/sign-in/{id}`: what is to be done next, and once nothing is, the way back to the client.
    private func showPage(_ request: Request, _ context: APIContext) async throws -> Response {
        // With a slash behind it the page's relative addresses would lead nowhere.
        guard !request.uri.path.hasSuffix("/") else { throw APIError.notFound }
        return try await show(request, context, isBelow: false) { try await next($0) }
    }

    private func next(_ visit: SignInVisit) async throws -> Response {
        switch try await step(of: visit) {
        case .signIn(let ways, let hint): return try await choice(ways, visit, email: hint)
        case .consent(let scopes): return try await ask(for: scopes, visit)
        case .answer(let answer): return AnswerResponse.make(answer, in: visit.texts)
        case .grant(let grant):
            guard let answer = try await codes.answer(visit.interaction, with: grant) else {
                throw InteractionEndedError()
            }
            return AnswerResponse.make(answer, in: visit.texts)
        }
    }

    func step(of visit: SignInVisit) async throws -> AuthorizationStep {
        var hasConsented = false
        if let person = visit.person {
            hasConsented = try await service.hasConsented(person, to: visit.interaction.request)
        }
        return service.step(visit.interaction, session: visit.session, client: visit.client, hasConsented: hasConsented)
    }

    /// The page that offers these ways, as far as there are any.
    ///
    /// `email`: what the field has in it; `fault`: what is wrong with that.
    func choice(
        _ ways: Set<SignInWay>,
        _ visit: SignInVisit,
        email: String?,
        fault: SignInKey? = nil
    ) async throws -> Response {
        let offered = ways.filter { $0 == .face ? faces != nil : passkeys != nil }
        var shown = email
        if shown == nil, let proven = visit.interaction.proven {
            shown = try await accounts.active(proven.account)?.profile.email?.text
        }
        return pages.choice(
            .init(ways: offered, isSecond: visit.interaction.proven != nil, email: shown ?? "", fault: fault),
            of: visit.client.name,
            at: visit.place,
            in: visit.texts
        )
    }
}
