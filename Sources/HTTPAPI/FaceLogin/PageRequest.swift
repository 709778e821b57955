import Hummingbird
import Kernel
import Operations
import Web

/// A request to the landing page: the operation, the browser, and its language.
struct PageRequest {
    let ticket: String
    let visitor: PageVisitor
    /// The operation of the link at the time of the request; `nil` for an invalid link.
    let operation: Operations.Operation?
    let texts: LocalizedStrings
    /// The app's address to which a form of the page may finally redirect.
    var leadsTo: String?
    /// Whether the request's path is below the page's own.
    var isBelow = false

    /// The kind of operation; a login for an invalid link.
    var kind: OperationKind { operation?.request.purpose.kind ?? .login }

    /// Whether a client's server started the operation: the person then may have no app to return to.
    var isOfService: Bool { operation?.request.policy.landing.starter == .server }

    /// Whether the page continues only for a browser that proves the account.
    var needsAccountProof: Bool { operation?.request.policy.landing.needsAccountProof ?? false }

    /// Whether the app collects only with the code that the browser carries to it.
    var needsReturn: Bool { operation?.request.policy.landing.requiresReturn ?? false }

    /// The page's location, for its assets and the targets of its forms.
    var page: LandingPages.Location { LandingPages.Location(ticket: ticket, isBelow: isBelow) }

    /// Whether the ticket has the length of 32 bytes in base64url.
    var hasTicket: Bool { ticket.utf8.count == 43 }
}

/// The browser at a landing page, by what it presents.
struct PageVisitor {
    /// The browser's own cookie.
    let cookie: Secret?
    /// The SHA-256 of the cookie that was set when the operation was started.
    let startCookie: Digest256?
    /// The SHA-256 of the cookie that was set when the login began on the sign-in page.
    let signInCookie: Digest256?
    /// The browser's address; `nil` where it is unknown.
    let address: NetworkAddress?
}

extension FaceLoginAPI {
    func pageRequest(_ request: Request, _ context: APIContext, isBelow: Bool = false) async throws -> PageRequest {
        let ticket = context.parameters.get("ticket") ?? ""
        // Another daemon may have made the link.
        do { try await service.load(ticket: ticket) } catch {
            let pageRequest = pageRequest(request, context, ticket: ticket, isBelow: isBelow)
            throw PageError(cause: error, page: page(for: error, pageRequest))
        }
        return pageRequest(request, context, ticket: ticket, isBelow: isBelow)
    }

    private func pageRequest(
        _ request: Request,
        _ context: APIContext,
        ticket: String,
        isBelow: Bool
    ) -> PageRequest {
        let operation = service.cache.card(ticket: Digest256(sha256: ticket))?.operation
        let publicID = operation?.credentials.publicID
        return PageRequest(
            ticket: ticket,
            visitor: PageVisitor(
                cookie: CompanionCookies.scan(isSecure: isSecure).word(request),
                startCookie: publicID.flatMap { callers.caller(request, of: $0).bindingCookie },
                signInCookie: operation.flatMap {
                    CompanionCookies.ownLogin($0, isSecure: isSecure).digest(in: request)
                },
                address: following.addresses.client(of: request, context)
            ),
            operation: operation,
            texts: context.language.texts(for: request).branded(for: operation?.request.policy.signsInTo),
            isBelow: isBelow
        )
    }
}
