import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Web

/// A browser at the page of an interaction that is its own.
struct SignInVisit: Sendable {
    /// The interaction's id as the path has it.
    var id: String { place.id }
    let interaction: Interaction
    let client: OAuthClient
    /// What the browser's session proves.
    let session: Interaction.Proven?
    let place: SignInStep
    let texts: LocalizedStrings

    /// Whose the answer would be: who has signed in here, else who was signed in before.
    var person: AccountID? { (interaction.proven ?? session)?.account }

    /// Whether a passkey leads on with user verification alone: without it the same page would come again.
    var needsVerifiedPasskey: Bool {
        [client.requires.contextClass, interaction.request.contextClass].contains { $0 == .passkey || $0 == .both }
    }
}

extension SignInPageAPI {
    /// The visit, if there is such an interaction and it is this browser's; `nil` tells nobody which of the two it lacks.
    func visit(_ request: Request, _ context: APIContext, isBelow: Bool = true) async throws -> SignInVisit? {
        let place = place(context, isBelow: isBelow)
        guard place.id.utf8.count == Self.idLength, let cookie = cookies.digest(in: request),
            let interaction = try await service.interaction(place.id, browser: cookie),
            let client = clients.client(interaction.request.clientID), client.isEnabled
        else { return nil }
        return SignInVisit(
            interaction: interaction,
            client: client,
            session: try await browser.proven(request),
            place: place,
            texts: AcceptedLanguage.texts(for: request, asked: interaction.request.uiLocales)
        )
    }

    /// A page, whatever goes wrong: what there is to show to that browser.
    func show(
        _ request: Request,
        _ context: APIContext,
        isBelow: Bool = true,
        _ answer: (SignInVisit) async throws -> Response
    ) async throws -> Response {
        var texts = AcceptedLanguage.texts(for: request)
        let tell = { (notice: SignInNotice, texts: LocalizedStrings) in
            pages.notice(notice, at: place(context, isBelow: isBelow), in: texts)
        }
        do {
            guard let visit = try await self.visit(request, context, isBelow: isBelow) else {
                // Ids that nobody was given are not guessed for free.
                try limits.admit(.strangersPerAddress, for: request, in: context)
                return tell(.over, texts)
            }
            texts = visit.texts
            return try await answer(visit)
        } catch is InteractionEndedError {
            return tell(.over, texts)
        } catch {
            let problem = APIError(error, bodyLimit: settings.bodyLimit)
            let page = tell(Self.notice(of: problem), texts)
            throw PageError(cause: error, page: page.retry(after: problem.retryAfter))
        }
    }

    /// What a page's form does: only from our own pages.
    func post(
        _ request: Request,
        _ context: APIContext,
        _ answer: (SignInVisit) async throws -> Response
    ) async throws -> Response {
        guard ownPages.sent(request) else {
            return pages.notice(.crossSite, at: place(context), in: AcceptedLanguage.texts(for: request))
        }
        return try await show(request, context, answer)
    }

    /// What a page's script asks: only from our own pages, and with the one error body for everything that goes wrong.
    func visitOfScript(_ request: Request, _ context: APIContext) async throws -> SignInVisit {
        guard ownPages.sent(request) else { throw APIError.originNotAllowed }
        guard let visit = try await self.visit(request, context) else {
            try limits.admit(.strangersPerAddress, for: request, in: context)
            throw APIError.operationNotFound
        }
        return visit
    }

    func place(_ context: APIContext, isBelow: Bool = true) -> SignInStep {
        SignInStep(id: context.parameters.get("id") ?? "", isBelow: isBelow)
    }

    /// 32 bytes, base64url.
    private static let idLength = 43

    private static func notice(of problem: APIError) -> SignInNotice {
        switch problem.status {
        case .tooManyRequests: .busy
        case .serviceUnavailable: .serverDown
        default: .serverFault
        }
    }
}
