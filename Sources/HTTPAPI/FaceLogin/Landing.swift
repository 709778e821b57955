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
        let ticket = context.parameters.get("ticket") ?? ""
        guard Self.isTicket(ticket), desk.isOpenable(ticket: ticket) else { return pages.render(.over) }
        return pages.render(.landing)
    }

    /// `POST /go/{ticket}`: starts the scan and sends the browser to the provider's page.
    @Sendable func open(_ request: Request, _ context: APIContext) async throws -> Response {
        let ticket = context.parameters.get("ticket") ?? ""
        guard isSameSite(request) else {
            desk.noteCrossSite(ticket: ticket)
            return pages.render(.crossSite)
        }
        guard Self.isTicket(ticket) else { return pages.render(.over) }
        let cookie = IncomingCookies(request)[Self.browserCookieName]
        do { return answer(to: try await desk.open(ticket: ticket, browserCookie: cookie)) } catch {
            throw PageFault(cause: error, page: page(for: error))
        }
    }

    private func answer(to outcome: OpenOutcome) -> Response {
        switch outcome {
        case .toProvider(let page, let cookie): return redirect(to: page, keeping: cookie)
        case .notOnThisDevice: return pages.render(.notOnThisDevice)
        case .providerDown: return pages.render(.providerDown)
        case .starting: return pages.render(.starting)
        case .tooManyRestarts: return pages.render(.tooManyRestarts)
        case .over: return pages.render(.over)
        }
    }

    /// A person reads what comes of this request, whatever goes wrong here.
    private func page(for error: any Error) -> Response {
        let problem = Problem(error, bodyLimit: settings.bodyLimit)
        var response = pages.render(problem == .storeUnavailable ? .serverDown : .serverFault)
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

    /// 32 bytes, base64url.
    private static func isTicket(_ text: String) -> Bool { text.utf8.count == 43 }

    private static func origin(of url: String) -> String {
        url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }
}
