import CodeFlow
import HTTPTypes
package import Hummingbird
import Kernel
package import OAuth
import Web

/// The way of a browser to an upstream and back: what `/authorize` answers for the upstream's clients, and
/// `GET /oauth/upstream/callback`.
package struct UpstreamSignIn: AuthorizationBroker {
    /// Where upstreams send browsers back to, below the public URL.
    package static let path = "/oauth/upstream/callback"

    private let service: BrokerService
    private let upstreams: [String: Upstream]
    private let isSecure: Bool
    private let pages: SignInPages

    /// `upstreams`: by their names; `isSecure`: whether the public URL is https; `site`: what the site calls itself.
    package init(service: BrokerService, upstreams: [String: Upstream], isSecure: Bool, site: String) {
        self.service = service
        self.upstreams = upstreams
        self.isSecure = isSecure
        pages = SignInPages(site: site)
    }

    package var routes: [Route] {
        [Route(.get, Self.path, access: .everybody(heeding: .ticket), callback)]
    }

    /// The redirect to the upstream, for a request that was found good for its client.
    /// - Throws: ``OAuthError``.
    package func redirect(
        for authorization: AuthorizationRequest,
        of client: OAuthClient,
        in request: Request
    ) throws -> Response {
        guard let upstream = client.upstream.flatMap({ upstreams[$0] }) else {
            throw OAuthError(.temporarilyUnavailable, "The upstream is switched off.")
        }
        let redirect = try service.redirect(authorization, to: upstream, earlier: presentedCookie(request))
        let texts = AcceptedLanguage.texts(for: request, asked: authorization.uiLocales)
        var response = AnswerResponse.make(redirect.answer, in: texts)
        response.set(
            OutgoingCookie(name: cookie, value: redirect.browser, path: "/", maxAge: .seconds(600), isSecure: isSecure)
        )
        if authorization.uiLocales == nil {
            LanguageCookie.forget(at: Self.path, isSecure: isSecure, for: request, on: &response)
        } else {
            LanguageCookie.keep(texts, at: Self.path, isSecure: isSecure, for: request, on: &response)
        }
        return response
    }

    /// `GET /oauth/upstream/callback`: on to the app, or a page where no address can be trusted.
    private func callback(_ request: Request, _ context: APIContext) async throws -> Response {
        let texts = AcceptedLanguage.texts(for: request)
        do {
            let form = try OAuthForm(query: request)
            let callback = AuthorizationCallback { form[$0] }
            let answer = try service.redirectBack(callback, browser: presentedCookie(request)) { upstreams[$0] }
            return AnswerResponse.make(answer, in: texts)
        } catch {
            // Whoever followed somebody else's link is told as little as who comes too late.
            let cause = error is CallbackError || error is OAuthError ? APIError.invalidRequest("\(error)") : error
            throw PageError(cause: cause, page: pages.notice(.over, at: Self.location, in: texts))
        }
    }

    /// As deep as the sign-in page itself, so that the page finds its style sheet.
    private static let location = PageLocation(id: "callback", isBelow: false)

    /// Behind https under a name that no other site can set (RFC 6265bis §4.1.3.2).
    private var cookie: String { isSecure ? "__Host-vst_upstream" : "vst_upstream" }

    /// The cookie that the request brought, if it could be one of ours; of two none counts.
    private func presentedCookie(_ request: Request) -> Secret? {
        let values = IncomingCookies(request).values(of: cookie)
        guard values.count == 1, values[0].utf8.count == 43 else { return nil }
        return IncomingCookies.secret(values[0])
    }
}
