import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Passkeys
import Synchronization
import Web

extension FaceLoginAPI {
    /// The length in base64url of an encrypted ticket: nonce, ticket and tag of 12, 43 and 16 bytes.
    private static let sealedTicket = 95

    /// `GET|HEAD /go/{ticket}`: shows the page whose form starts the scan by POST.
    ///
    /// GET changes nothing, because link previews and mail scanners fetch links.
    func showLanding(_ request: Request, _ context: APIContext) async throws -> Response {
        let pageRequest = try await pageRequest(request, context)
        if let notice = LandingPages.Notice(rawValue: pageRequest.ticket) {
            return pages.render(notice.page, in: pageRequest.texts)
        }
        if pageRequest.ticket.utf8.count == Self.sealedTicket,
            let ticket = proofs.signIn?.opened(pageRequest.ticket, request)
        {
            return .seeOther("/go/\(ticket)")
        }
        guard pageRequest.hasTicket else { return pages.render(.over, of: pageRequest.kind, in: pageRequest.texts) }
        return show(pageRequest)
    }

    func show(_ pageRequest: PageRequest) -> Response {
        switch landing(pageRequest) {
        case .over: pages.render(.over, of: pageRequest.kind, in: pageRequest.texts)
        case .proceed: pages.render(.landing, of: pageRequest.kind, in: pageRequest.texts)
        case .confirm(let view):
            pages.confirm(view, seenFrom: pageRequest.visitor.address, at: pageRequest.page, in: pageRequest.texts)
        case .progress(let view): pages.progress(view, at: pageRequest.page, in: pageRequest.texts)
        case .outcome(.accepted):
            pages.render(
                pageRequest.isOfService ? .acceptedForService : .accepted,
                of: pageRequest.kind,
                in: pageRequest.texts
            )
        case .outcome(.failed(let code)): pages.failed(code, of: pageRequest.kind, in: pageRequest.texts)
        }
    }

    /// `POST /go/{ticket}`: starts the scan, and sends the browser to the provider's page.
    func open(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context, as: pageRequest(request, context)) { pageRequest in
            let number = try await FormBody.field("number", of: request)
            return try await start(pageRequest, number: number, request)
        }
    }

    /// Starts the scan for a visitor who agreed, by the button or with a passkey.
    func start(
        _ pageRequest: PageRequest,
        number: String?,
        with confirmation: PasskeyConfirmation? = nil,
        _ request: Request
    ) async throws -> Response {
        let askedAccount = Mutex<AccountID?>(nil)
        var noting: AccountProof?
        if pageRequest.needsAccountProof {
            let proof = try await proofs.accounts.proof(of: request)
            noting = { account in
                askedAccount.withLock { $0 = account }
                return try await proof(account)
            }
        }
        let outcome = try await service.open(
            ticket: pageRequest.ticket,
            browserCookie: pageRequest.visitor.cookie,
            startCookie: pageRequest.visitor.startCookie,
            signInCookie: pageRequest.visitor.signInCookie,
            number: number,
            confirmation: confirmation,
            proves: noting,
            returnTo: "\(server.publicURL)/go/\(pageRequest.ticket)/return"
        )
        if outcome == .accountProofNeeded, let signIn = proofs.signIn {
            let hasYoungKey = try await proofs.accounts.hasYoungKey(request, of: askedAccount.withLock(\.self))
            return try await signIn.begin(carrying: pageRequest.ticket, request, wanting: hasYoungKey ? .face : nil) {
                "/go/\($0 ?? "")"
            }
        }
        return answer(to: outcome, pageRequest)
    }

    /// Returns what the visitor may see of the operation.
    func landing(_ pageRequest: PageRequest) -> LandingView {
        service.landing(
            ticket: pageRequest.ticket,
            browserCookie: pageRequest.visitor.cookie,
            startCookie: pageRequest.visitor.startCookie,
            signInCookie: pageRequest.visitor.signInCookie
        )
    }

    /// `POST /go/{ticket}/not-me`: the person reports that they did not start the login.
    func deny(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context, as: pageRequest(request, context, isBelow: true)) { pageRequest in
            pages.render(
                try await service.deny(ticket: pageRequest.ticket) ? .denied : .over,
                of: pageRequest.kind,
                in: pageRequest.texts
            )
        }
    }

    /// Handles a form of the page, if one of this server's own pages sent it; errors become pages too.
    func post(
        _ request: Request,
        _ context: APIContext,
        as pageRequest: PageRequest,
        answer: (PageRequest) async throws -> Response
    ) async throws -> Response {
        guard server.ownPages.sent(request) else {
            service.noteCrossSite(ticket: pageRequest.ticket)
            return pages.render(.crossSite, of: pageRequest.kind, in: pageRequest.texts)
        }
        guard pageRequest.hasTicket else { return pages.render(.over, of: pageRequest.kind, in: pageRequest.texts) }
        do {
            try await service.admitOpening(ticket: pageRequest.ticket, from: following.source(of: request, context))
        } catch let exceeded as LimitExceededError {
            return later(exceeded, pageRequest)
        } catch {
            throw PageError(cause: error, page: page(for: error, pageRequest))
        }
        do { return try await answer(pageRequest) } catch {
            throw PageError(cause: error, page: page(for: error, pageRequest))
        }
    }

    private func answer(to outcome: OpenOutcome, _ pageRequest: PageRequest) -> Response {
        switch outcome {
        case .toProvider(let page, let cookie): redirect(to: page, keeping: cookie)
        case .notOnThisDevice: pages.render(.notOnThisDevice, of: pageRequest.kind, in: pageRequest.texts)
        case .providerDown: retry(.providerDown, pageRequest)
        case .starting: retry(.starting, pageRequest)
        case .tooManyRestarts: pages.render(.tooManyRestarts, of: pageRequest.kind, in: pageRequest.texts)
        case .ask(let view, let fault):
            pages.confirm(
                view,
                fault: fault,
                seenFrom: pageRequest.visitor.address,
                at: pageRequest.page,
                in: pageRequest.texts
            )
        case .passkeyNeeded: retry(.passkeyNeeded, pageRequest)
        case .otherPasskey: retry(.passkeyRefused, pageRequest)
        // No sign-in page is enabled to send the browser to.
        case .accountProofNeeded: pages.render(.notOnThisDevice, of: pageRequest.kind, in: pageRequest.texts)
        case .tooManyWrongNumbers: pages.render(.tooManyNumbers, of: pageRequest.kind, in: pageRequest.texts)
        case .over: over(pageRequest)
        }
    }

    /// Returns the page of an ended login; the browser that had the scan sees its outcome.
    func over(_ pageRequest: PageRequest) -> Response {
        switch landing(pageRequest) {
        case .outcome, .progress: show(pageRequest)
        case .over, .proceed, .confirm: pages.render(.over, of: pageRequest.kind, in: pageRequest.texts)
        }
    }

    /// Returns a page whose button tries the start of the scan again.
    private func retry(_ page: LandingPages.Page, _ pageRequest: PageRequest) -> Response {
        let asks =
            switch landing(pageRequest) {
            case .over, .proceed, .outcome: false
            case .confirm: true
            // The browser is not asked again, and below the page its form has another address.
            case .progress: pageRequest.isBelow
            }
        return asks
            ? pages.backToQuestion(page, of: pageRequest.kind, in: pageRequest.texts, at: pageRequest.page)
            : pages.render(page, of: pageRequest.kind, in: pageRequest.texts, leadingTo: pageRequest.leadsTo)
    }

    /// Returns the page for too many requests from one network, with the time of the next attempt.
    private func later(_ exceeded: LimitExceededError, _ pageRequest: PageRequest) -> Response {
        retry(.busy, pageRequest).retry(after: Int(max(1, exceeded.retryAfter.secondsRoundedUp)))
    }

    /// Returns the page for an error of this request, because a person reads the answer.
    func page(for error: any Error, _ pageRequest: PageRequest) -> Response {
        let apiError = APIError(error, bodyLimit: following.bodyLimit)
        // An answer that cannot be read as a passkey's gets the page of an invalid passkey.
        if error is PasskeyError || apiError == .malformedJSON { return retry(.passkeyRefused, pageRequest) }
        return retry(apiError == .storeUnavailable ? .serverDown : .serverFault, pageRequest).retry(
            after: apiError.retryAfter
        )
    }

    /// Redirects with 303: the browser follows with a GET (RFC 9110 §15.4.4).
    ///
    /// The address is a bearer secret: it is neither cached nor passed on as a referrer.
    private func redirect(to page: Secret, keeping cookie: Secret) -> Response {
        var response = Response.seeOther(page.expose())
        CompanionCookies.scan(isSecure: isSecure).set(cookie, on: &response)
        return response
    }
}
