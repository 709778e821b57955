import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Passkeys
import Synchronization
import Web

extension FaceLoginAPI {
    private static let browserCookieName = "vst_go"
    /// The length of an encrypted ticket: 12 bytes, 43 and 16, in base64url.
    private static let sealedTicket = 95

    /// `GET|HEAD /go/{ticket}`: a page that asks for the scan by POST.
    ///
    /// Changes nothing: previews and scanners fetch links.
    func showLanding(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = visit(request, context)
        if let notice = LandingPages.Notice(rawValue: visit.ticket) {
            return pages.render(notice.page, in: visit.texts)
        }
        if visit.ticket.utf8.count == Self.sealedTicket, let ticket = proofs.signIn?.opened(visit.ticket, request) {
            return .seeOther("/go/\(ticket)")
        }
        guard visit.hasTicket else { return pages.render(.over, of: visit.kind, in: visit.texts) }
        return show(visit)
    }

    func show(_ visit: Visit) -> Response {
        switch landing(visit) {
        case .over: pages.render(.over, of: visit.kind, in: visit.texts)
        case .proceed: pages.render(.landing, of: visit.kind, in: visit.texts)
        case .confirm(let view): pages.confirm(view, at: visit.page, in: visit.texts)
        case .outcome(.accepted):
            pages.render(visit.isOfService ? .acceptedForService : .accepted, of: visit.kind, in: visit.texts)
        case .outcome(.failed(let code)): pages.failed(code, of: visit.kind, in: visit.texts)
        }
    }

    /// `POST /go/{ticket}`: starts the scan and sends the browser to the provider's page.
    func open(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context, as: visit(request, context)) { visit in
            let number = try await FormBody.field("number", of: request)
            return try await start(visit, number: number, request)
        }
    }

    /// Starts the scan for a visitor who agreed: by the button, or with a passkey.
    func start(
        _ visit: Visit,
        number: String?,
        with confirmation: PasskeyConfirmation? = nil,
        _ request: Request
    ) async throws -> Response {
        let askedAccount = Mutex<AccountID?>(nil)
        var noting: AccountProof?
        if visit.needsAccountProof {
            let proof = try await proofs.accounts.proof(of: request)
            noting = { account in
                askedAccount.withLock { $0 = account }
                return try await proof(account)
            }
        }
        let outcome = try await service.open(
            ticket: visit.ticket,
            browserCookie: visit.cookie,
            startCookie: visit.startCookie,
            number: number,
            confirmation: confirmation,
            proves: noting,
            returnTo: "\(server.publicURL)/go/\(visit.ticket)/return"
        )
        if outcome == .accountProofNeeded, let signIn = proofs.signIn {
            let hasYoungKey = try await proofs.accounts.hasYoungKey(request, of: askedAccount.withLock(\.self))
            return try await signIn.begin(carrying: visit.ticket, request, wanting: hasYoungKey ? .face : nil) {
                "/go/\($0 ?? "")"
            }
        }
        return answer(to: outcome, visit)
    }

    /// Returns the view for that visitor.
    func landing(_ visit: Visit) -> LandingView {
        service.landing(ticket: visit.ticket, browserCookie: visit.cookie, startCookie: visit.startCookie)
    }

    /// `POST /go/{ticket}/not-me`: the person denies having started the login.
    func deny(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context, as: visit(request, context, isBelow: true)) { visit in
            pages.render(
                try await service.deny(ticket: visit.ticket) ? .denied : .over,
                of: visit.kind,
                in: visit.texts
            )
        }
    }

    /// Handles the form of a page: only from this server's own pages, and with a page as the answer whatever fails.
    func post(
        _ request: Request,
        _ context: APIContext,
        as visit: Visit,
        answer: (Visit) async throws -> Response
    ) async throws -> Response {
        guard server.ownPages.sent(request) else {
            service.noteCrossSite(ticket: visit.ticket)
            return pages.render(.crossSite, of: visit.kind, in: visit.texts)
        }
        guard visit.hasTicket else { return pages.render(.over, of: visit.kind, in: visit.texts) }
        do throws(LimitExceededError) {
            try service.admitOpening(ticket: visit.ticket, from: following.source(of: request, context))
        } catch {
            return later(error, visit)
        }
        do { return try await answer(visit) } catch { throw PageError(cause: error, page: page(for: error, visit)) }
    }

    private func answer(to outcome: OpenOutcome, _ visit: Visit) -> Response {
        switch outcome {
        case .toProvider(let page, let cookie): redirect(to: page, keeping: cookie)
        case .notOnThisDevice: pages.render(.notOnThisDevice, of: visit.kind, in: visit.texts)
        case .providerDown: retry(.providerDown, visit)
        case .starting: retry(.starting, visit)
        case .tooManyRestarts: pages.render(.tooManyRestarts, of: visit.kind, in: visit.texts)
        case .ask(let view, let fault): pages.confirm(view, fault: fault, at: visit.page, in: visit.texts)
        case .passkeyNeeded: retry(.passkeyNeeded, visit)
        case .otherPasskey: retry(.passkeyRefused, visit)
        // No sign-in page exists to send the browser to.
        case .accountProofNeeded: pages.render(.notOnThisDevice, of: visit.kind, in: visit.texts)
        case .tooManyWrongNumbers: pages.render(.tooManyNumbers, of: visit.kind, in: visit.texts)
        case .over: over(visit)
        }
    }

    /// Answers that the login is over; the browser that had the scan learns how it ended.
    func over(_ visit: Visit) -> Response {
        switch landing(visit) {
        case .outcome: show(visit)
        case .over, .proceed, .confirm: pages.render(.over, of: visit.kind, in: visit.texts)
        }
    }

    /// Returns a page with a button to try again, which repeats the start of the login.
    private func retry(_ page: LandingPages.Page, _ visit: Visit) -> Response {
        switch landing(visit) {
        case .over, .proceed, .outcome:
            pages.render(page, of: visit.kind, in: visit.texts, leadingTo: visit.leadsTo)
        case .confirm: pages.backToQuestion(page, of: visit.kind, in: visit.texts, at: visit.page)
        }
    }

    /// Returns the page for too many requests of one network, which says when to come back.
    private func later(_ exceeded: LimitExceededError, _ visit: Visit) -> Response {
        retry(.busy, visit).retry(after: Int(max(1, exceeded.retryAfter.secondsRoundedUp)))
    }

    /// Returns the page for an error of this request: a person reads it.
    func page(for error: any Error, _ visit: Visit) -> Response {
        let apiError = APIError(error, bodyLimit: following.bodyLimit)
        // An answer that is not a passkey's at all gets the page of an invalid passkey.
        if error is PasskeyError || apiError == .malformedJSON { return retry(.passkeyRefused, visit) }
        return retry(apiError == .storeUnavailable ? .serverDown : .serverFault, visit).retry(
            after: apiError.retryAfter
        )
    }

    /// Redirects with 303: the browser follows with a GET (RFC 9110 §15.4.4).
    ///
    /// The address is a bearer secret: it is neither cached nor passed on as a referrer.
    private func redirect(to page: Secret, keeping cookie: Secret) -> Response {
        var response = Response.seeOther(page.expose())
        response.set(
            OutgoingCookie(
                name: Self.browserCookieName,
                value: cookie,
                path: "/go",
                maxAge: .seconds(900),
                isSecure: isSecure
            )
        )
        return response
    }

    /// A visitor of the page: the operation, the browser, and its language.
    struct Visit {
        let ticket: String
        let cookie: Secret?
        /// The SHA-256 of the cookie that the answer to the start set.
        let startCookie: Digest256?
        /// The operation of the link, as it was when the request came; `nil` for an invalid link.
        let operation: Operations.Operation?
        let texts: LocalizedStrings
        /// The app's address that a form of the page may end at.
        var leadsTo: String?
        /// Whether the request is to an address below the page's own.
        var isBelow = false

        /// The kind of operation; a login for an invalid link.
        var kind: OperationKind { operation?.purpose.kind ?? .login }

        /// Whether a client's server started the operation: there may be no app to go back to.
        var isOfService: Bool { operation?.policy.landing.starter == .server }

        /// Whether the page continues only for a browser that proves the account.
        var needsAccountProof: Bool { operation?.policy.landing.needsAccountProof ?? false }

        /// The page's location, for its assets and the targets of its forms.
        var page: LandingPages.Location { LandingPages.Location(ticket: ticket, isBelow: isBelow) }

        /// Whether the ticket has the length of 32 bytes in base64url.
        var hasTicket: Bool { ticket.utf8.count == 43 }
    }

    func visit(_ request: Request, _ context: APIContext, isBelow: Bool = false) -> Visit {
        let ticket = context.parameters.get("ticket") ?? ""
        let operation = service.cache.card(ticket: Digest256(sha256: ticket))?.operation
        return Visit(
            ticket: ticket,
            cookie: IncomingCookies(request)[Self.browserCookieName],
            startCookie: operation.flatMap { callers.caller(request, of: $0.publicID).bindingCookie },
            operation: operation,
            texts: AcceptedLanguage.texts(for: request),
            isBelow: isBelow
        )
    }
}
