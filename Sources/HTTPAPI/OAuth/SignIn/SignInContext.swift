import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Web

/// One interaction in the browser that began it, with client, session and language.
struct SignInContext: Sendable {
    /// The interaction's id in the path.
    var id: String { location.id }
    let interaction: Interaction
    let client: OAuthClient
    /// The person of the browser's session, and how they authenticated.
    let session: Interaction.Proven?
    let location: PageLocation
    let texts: LocalizedStrings
    /// What mails tell of the person.
    let requester: Requester

    /// The account for which the client would get its answer: that of the interaction, else of the browser's session.
    var person: AccountID? { (interaction.proven ?? session)?.account }

    /// The words of the link back to the client, the same on each page of the ways in.
    var cancel: String { texts.text(SignInKey.cancel, with: client.name) }

    /// Whether a passkey needs user verification: without it the sign-in page would ask again.
    var needsVerifiedPasskey: Bool {
        [client.authorization.requires.contextClass, interaction.request.demands.contextClass].contains {
            $0 == .passkey || $0 == .both
        }
    }
}

extension SignInPageAPI {
    /// Returns the context; `nil` for an unknown interaction, and equally for one that another browser began.
    func signInContext(_ request: Request, _ context: APIContext, isBelow: Bool = true) async throws -> SignInContext? {
        let location = location(context, isBelow: isBelow)
        guard location.id.utf8.count == Self.idLength, let cookie = cookies.digest(in: request),
            let interaction = try await service.interaction(location.id, browser: cookie),
            let client = clients.client(interaction.request.clientID), client.isEnabled
        else { return nil }
        let texts = context.language.texts(for: request, asked: interaction.request.demands.uiLocales)
            .branded(for: client.id)
        return SignInContext(
            interaction: interaction,
            client: client,
            session: try await browser.proven(request),
            location: location,
            texts: texts,
            requester: context.requester(of: request, in: texts)
        )
    }

    /// Answers with a page, errors included, because a person reads the answer.
    func show(
        _ request: Request,
        _ context: APIContext,
        isBelow: Bool = true,
        answer: (SignInContext) async throws -> Response
    ) async throws -> Response {
        var texts = context.language.texts(for: request)
        let tell = { (notice: SignInNotice, texts: LocalizedStrings) in
            pages.notice(notice, at: location(context, isBelow: isBelow), in: texts)
        }
        do {
            guard let signIn = try await signInContext(request, context, isBelow: isBelow) else {
                // A guessed id counts against the limit.
                try await limits.admit(.strangersPerAddress, for: request, in: context)
                return tell(.over, texts)
            }
            texts = signIn.texts
            return try await answer(signIn)
        } catch is InteractionEndedError {
            return tell(.over, texts)
        } catch let error as PageError {
            throw error
        } catch {
            let problem = APIError(error, bodyLimit: server.bodyLimit)
            let page = tell(SignInNotice(of: problem), texts)
            throw PageError(cause: error, page: page.retry(after: problem.retryAfter))
        }
    }

    /// Handles a form, if one of this server's own pages sent it.
    func post(
        _ request: Request,
        _ context: APIContext,
        answer: (SignInContext) async throws -> Response
    ) async throws -> Response {
        guard server.ownPages.sent(request) else {
            return pages.notice(.crossSite, at: location(context), in: context.language.texts(for: request))
        }
        return try await show(request, context, answer: answer)
    }

    /// Returns the context for a script of this server's own pages, which reads errors in the common error body.
    func scriptContext(_ request: Request, _ context: APIContext) async throws -> SignInContext {
        guard server.ownPages.sent(request) else { throw APIError.originNotAllowed }
        guard let signIn = try await signInContext(request, context) else {
            try await limits.admit(.strangersPerAddress, for: request, in: context)
            throw APIError.operationNotFound
        }
        return signIn
    }

    func location(_ context: APIContext, isBelow: Bool = true) -> PageLocation {
        PageLocation(id: context.parameters.get("id") ?? "", isBelow: isBelow)
    }

    /// The length of 32 bytes in base64url.
    private static let idLength = 43
}
