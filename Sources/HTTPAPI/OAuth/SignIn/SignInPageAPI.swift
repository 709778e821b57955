import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import SignIn
import Web

/// The sign-in page of authorization requests: a person chooses how to sign in, consents to the client's scopes, or
/// refuses.
///
/// Every form and script leads back to the page itself, which asks ``AuthorizationService`` for the next step. Only the
/// browser that has the interaction's cookie gets an answer.
struct SignInPageAPI: Sendable {
    let requests: AuthorizationServices
    let clients: OAuthClientDirectory
    let browser: BrowserProof
    let secrets: SignInSecrets
    let limits: AddressGate
    let server: ServerConfiguration
    let offers: SignInOffers
    let pages: SignInPages

    var service: AuthorizationService { requests.service }
    var cookies: CompanionCookies { server.interactionCookie }
    var faces: SignInFaces? { offers.faces }

    var routes: [Route] {
        let page = "/oauth/sign-in/{id}"
        let pageAccess = OpenAccess.holder(of: .interactionCookie, accepting: .webSession)
        let signing = OpenAccess.holder(of: .interactionCookie, accepting: .webSession, .deviceCookie)
        let showing = OpenAccess.holder(of: .interactionCookie, accepting: .credentials, .webSession, .deviceCookie)
        return [
            Route(.get, page, access: pageAccess, use: showPage),
            Route(.post, page + "/face", access: signing, use: startFace),
            Route(.get, page + "/wait", access: signing, use: wait),
            Route(.get, page + "/events", access: .holder(of: .interactionCookie), use: events),
            Route(.post, page + "/passkey/options", access: .holder(of: .interactionCookie), use: passkeyOptions),
            Route(.post, page + "/passkey", access: showing, use: signInWithPasskey),
            Route(.post, page + "/consent", access: pageAccess, use: consent),
            Route(.post, page + "/cancel", access: .holder(of: .interactionCookie), use: cancel),
        ]
    }

    /// `GET /oauth/sign-in/{id}`: shows the next step, and finally redirects back to the client.
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
            guard let answer = try await requests.codes.answer(signIn.interaction, with: grant) else {
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

    /// Returns the page with those of these ways that are enabled, with `email` in its field and `fault` as its error.
    func choice(
        _ ways: Set<SignInWay>,
        _ signIn: SignInContext,
        email: String?,
        fault: SignInKey? = nil
    ) async throws -> Response {
        let offered = ways.filter(offers.contains)
        var shown = email
        if shown == nil, let proven = signIn.interaction.proven {
            shown = try await browser.profile(of: proven.account)?.email?.text
        }
        return pages.choice(
            .init(ways: offered, isSecond: signIn.interaction.proven != nil, email: shown ?? "", fault: fault),
            of: signIn.client.name,
            at: signIn.location,
            in: signIn.texts
        )
    }
}

/// The ways to sign in that the page offers.
struct SignInOffers: Sendable {
    /// `nil` if face sign-in is off.
    let faces: SignInFaces?
    /// `nil` if passkeys are off.
    let passkeys: SignInPasskeys?

    func contains(_ way: SignInWay) -> Bool {
        switch way {
        case .face: faces != nil
        case .passkey: passkeys != nil
        }
    }
}
