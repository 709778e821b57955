import CodeFlow
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Web

/// Redirects browsers to an upstream and back: the answers of `/authorize` for the upstream's clients, and
/// `GET /oauth/upstream/callback`.
package struct UpstreamSignIn: Sendable {
    /// The path of the callback below the public URL.
    package static let path = "/oauth/upstream/callback"

    let broker: UpstreamServices
    let isSecure: Bool
    let pages: SignInPages

    var routes: [Route] {
        [Route(.get, Self.path, access: .everybody(accepting: .ticket), use: callback)]
    }

    /// Returns the redirect to the upstream for a valid request.
    /// - Throws: ``OAuthError``.
    func redirect(
        for authorization: AuthorizationRequest,
        of client: OAuthClient,
        in request: Request,
        _ context: APIContext
    ) throws -> Response {
        guard let upstream = client.authorization.upstream.flatMap({ broker.upstreams[$0] }) else {
            throw OAuthError(.temporarilyUnavailable, "The upstream is switched off.")
        }
        let redirect = try broker.service.redirect(authorization, to: upstream, earlier: presentedCookie(request))
        let texts = context.language.texts(for: request, asked: authorization.demands.uiLocales)
            .branded(for: client.id)
        var response = AnswerResponse.make(redirect.answer, in: texts)
        response.set(
            OutgoingCookie(name: cookie, value: redirect.browser, path: "/", maxAge: .seconds(600), isSecure: isSecure)
        )
        if authorization.demands.uiLocales == nil {
            LanguageCookie.forget(at: Self.path, isSecure: isSecure, for: request, on: &response)
        } else {
            LanguageCookie.keep(texts, at: Self.path, isSecure: isSecure, for: request, on: &response)
        }
        return response
    }

    /// `GET /oauth/upstream/callback`: redirects to the app, or shows a page where no address can be trusted.
    private func callback(_ request: Request, _ context: APIContext) async throws -> Response {
        let texts = context.language.texts(for: request)
        do {
            let form = try OAuthForm(query: request)
            let callback = AuthorizationCallback { form[$0] }
            let answer = try await broker.service.redirectBack(callback, browser: presentedCookie(request)) {
                broker.upstreams[$0]
            }
            return AnswerResponse.make(answer, in: texts)
        } catch {
            // A browser that opens another browser's link gets the same answer as one that comes too late.
            let cause = error is CallbackError || error is OAuthError ? APIError.invalidRequest("\(error)") : error
            throw PageError(cause: cause, page: pages.notice(.over, at: Self.location, in: texts))
        }
    }

    /// The callback is in the same folder as the sign-in page, so that the notice finds its style sheet.
    private static let location = PageLocation(id: "callback", isBelow: false)

    /// Over https, the name of the cookie has a prefix that no other site can set (RFC 6265bis §4.1.3.2).
    private var cookie: String { isSecure ? "__Host-vst_upstream" : "vst_upstream" }

    /// Returns the value of the request's cookie if it is well-formed; `nil` also for two cookies of that name.
    private func presentedCookie(_ request: Request) -> Secret? {
        let values = IncomingCookies(request).values(of: cookie)
        guard values.count == 1, values[0].utf8.count == 43 else { return nil }
        return IncomingCookies.secret(values[0])
    }
}
