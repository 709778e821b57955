import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import SignIn
import Web

/// The sign-in page of authorization requests and of this server's own pages: a person says who they are, signs in or
/// opens an account, consents to the client's scopes, or refuses.
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
            Route(.post, page + "/identifier", access: pageAccess, use: takeIdentifier),
            Route(.post, page + "/face", access: signing, use: startFace),
            Route(.get, page + "/wait", access: signing, use: wait),
            Route(.get, page + "/events", access: .holder(of: .interactionCookie), use: events),
            Route(.post, page + "/passkey/options", access: .holder(of: .interactionCookie), use: passkeyOptions),
            Route(.post, page + "/passkey", access: showing, use: signInWithPasskey),
            Route(.post, page + "/passkey/new/options", access: pageAccess, use: newPasskeyOptions),
            Route(.post, page + "/passkey/new", access: showing, use: createPasskey),
            Route(.post, page + "/mail", access: signing, use: sendCode),
            Route(.post, page + "/code", access: showing, use: takeCode),
            Route(.post, page + "/password", access: showing, use: signInWithPassword),
            Route(.get, page + "/sign-up", access: pageAccess, use: showSignUp),
            Route(.post, page + "/sign-up", access: showing, use: signUp),
            Route(.post, page + "/enroll", access: signing, use: startEnrolment),
            Route(.post, page + "/later", access: .holder(of: .interactionCookie), use: skipPasskey),
            Route(.post, page + "/consent", access: pageAccess, use: consent),
            Route(.post, page + "/cancel", access: .holder(of: .interactionCookie), use: cancel),
        ]
    }

    /// `GET /oauth/sign-in/{id}`: shows the next step, and finally redirects back to the client.
    private func showPage(_ request: Request, _ context: APIContext) async throws -> Response {
        // A trailing slash would break the page's relative addresses.
        guard !request.uri.path.hasSuffix("/") else { throw APIError.notFound }
        return try await show(request, context, isBelow: false) { try await next(request, $0) }
    }

    private func next(_ request: Request, _ signIn: SignInContext) async throws -> Response {
        let step = try await step(of: signIn)
        switch step {
        case .signIn(let needed, let hint): return try await choose(needed, hint: hint, request, in: signIn)
        case .consent, .grant:
            if let page = try await offeringPasskey(request, signIn) { return page }
        case .answer: break
        }
        return try await finish(step, signIn)
    }

    private func finish(_ step: AuthorizationStep, _ signIn: SignInContext) async throws -> Response {
        switch step {
        case .signIn: return .seeOther(signIn.location.page)
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
}
