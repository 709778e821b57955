import HTTPTypes
import Hummingbird
import Kernel
import Operations

extension FaceLoginAPI {
    private static let browserCookieName = "vst_go"

    /// `GET|HEAD /go/{ticket}`: a page that asks for the scan by POST.
    ///
    /// Changes nothing: previews and scanners fetch links.
    @Sendable func showLanding(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = Visit(request, context)
        guard visit.hasTicket else { return pages.render(.over, in: visit.texts) }
        return show(visit)
    }

    func show(_ visit: Visit) -> Response {
        switch desk.landing(ticket: visit.ticket, browserCookie: visit.cookie) {
        case .over: pages.render(.over, in: visit.texts)
        case .goOn: pages.render(.landing, in: visit.texts)
        case .confirm(let view): pages.confirm(view, ticket: visit.ticket, in: visit.texts)
        case .outcome(.accepted): pages.render(.accepted, in: visit.texts)
        case .outcome(.failed(let code)): pages.failed(code, in: visit.texts)
        }
    }

    /// `POST /go/{ticket}`: starts the scan and sends the browser to the provider's page.
    @Sendable func open(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, as: Visit(request, context)) { visit in
            do throws(LimitExceeded) {
                try desk.admitOpening(ticket: visit.ticket, from: source(of: request, context))
            } catch {
                return later(error, visit)
            }
            let number = try await FormBody.field("number", of: request)
            return answer(
                to: try await desk.open(
                    ticket: visit.ticket,
                    browserCookie: visit.cookie,
                    number: number,
                    returnTo: "\(settings.publicURL)/go/\(visit.ticket)/return"
                ),
                visit
            )
        }
    }

    /// `POST /go/{ticket}/not-me`: the person says that it was somebody else.
    @Sendable func deny(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, as: Visit(request, context)) { visit in
            pages.render(try await desk.deny(ticket: visit.ticket) ? .denied : .over, in: visit.texts)
        }
    }

    /// What a page's form does: only from our own pages, and with a page as the answer whatever goes wrong.
    func post(
        _ request: Request,
        as visit: Visit,
        _ answer: (Visit) async throws -> Response
    ) async throws -> Response {
        guard isSameSite(request) else {
            desk.noteCrossSite(ticket: visit.ticket)
            return pages.render(.crossSite, in: visit.texts)
        }
        guard visit.hasTicket else { return pages.render(.over, in: visit.texts) }
        do { return try await answer(visit) } catch { throw PageFault(cause: error, page: page(for: error, visit)) }
    }

    private func answer(to outcome: OpenOutcome, _ visit: Visit) -> Response {
        switch outcome {
        case .toProvider(let page, let cookie): redirect(to: page, keeping: cookie)
        case .notOnThisDevice: pages.render(.notOnThisDevice, in: visit.texts)
        case .providerDown: retry(.providerDown, visit)
        case .starting: retry(.starting, visit)
        case .tooManyRestarts: pages.render(.tooManyRestarts, in: visit.texts)
        case .ask(let view, let fault): pages.confirm(view, fault: fault, ticket: visit.ticket, in: visit.texts)
        case .tooManyWrongNumbers: pages.render(.tooManyNumbers, in: visit.texts)
        case .over: over(visit)
        }
    }

    /// Over for everybody; the browser that had the scan learns how it ended.
    private func over(_ visit: Visit) -> Response {
        switch desk.landing(ticket: visit.ticket, browserCookie: visit.cookie) {
        case .outcome: show(visit)
        case .over, .goOn, .confirm: pages.render(.over, in: visit.texts)
        }
    }

    /// A page with a button to try again: the way there is the one that the login began with.
    private func retry(_ page: LandingPages.Page, _ visit: Visit) -> Response {
        switch desk.landing(ticket: visit.ticket, browserCookie: visit.cookie) {
        case .over, .goOn, .outcome: pages.render(page, in: visit.texts, leadingTo: visit.leadsTo)
        case .confirm: pages.render(page, in: visit.texts, asksFirst: true)
        }
    }

    /// Too many from one network: a person reads when to come back.
    private func later(_ exceeded: LimitExceeded, _ visit: Visit) -> Response {
        var response = retry(.busy, visit)
        response.headers[.retryAfter] = String(max(1, exceeded.retryAfter.secondsRoundedUp))
        return response
    }

    /// A person reads what comes of this request, whatever goes wrong here.
    func page(for error: any Error, _ visit: Visit) -> Response {
        let problem = Problem(error, bodyLimit: settings.bodyLimit)
        var response = retry(problem == .storeUnavailable ? .serverDown : .serverFault, visit)
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// 303: the browser follows with a GET (RFC 9110 §15.4.4).
    ///
    /// The address is a bearer secret: it is neither cached nor passed on as a referrer.
    private func redirect(to page: Secret, keeping cookie: Secret) -> Response {
        var response = Response(status: .seeOther, headers: [.location: page.expose()])
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

    /// A browser says where a POST comes from: Fetch Metadata first, else Origin.
    ///
    /// One with neither is no browser.
    private func isSameSite(_ request: Request) -> Bool {
        if let site = request.headers[our: .secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        return origin == Self.origin(of: settings.publicURL)
    }

    private static func origin(of url: String) -> String {
        url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// Who comes to the page: which login's, which browser, and in what language it reads.
    struct Visit {
        let ticket: String
        let cookie: Secret?
        let texts: Texts
        /// The app's address that a form of the page may end at.
        var leadsTo: String?

        init(_ request: Request, _ context: APIContext) {
            ticket = context.parameters.get("ticket") ?? ""
            cookie = IncomingCookies(request)[FaceLoginAPI.browserCookieName]
            texts = AcceptedLanguage.texts(for: request)
        }

        /// 32 bytes, base64url.
        var hasTicket: Bool { ticket.utf8.count == 43 }
    }
}
