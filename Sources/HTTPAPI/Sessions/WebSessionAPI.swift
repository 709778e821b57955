import Hummingbird
import Kernel
import Operations
import Sessions
import SignIn

/// Gives a browser that has a session's tokens the session's cookie too, so that all pages of the site are signed in.
///
/// A page signs in by a face or a mailed code as apps do, and keeps its tokens only while it is open.
struct WebSessionAPI: Sendable {
    let signIn: BrowserSignIn
    let cookies: CompanionCookies
    let refreshCookies: RefreshCookies
    let clients: ClientDirectory
    let environment: Environment

    var routes: [Route] {
        // A cookie outlasts an access token. Because the sign-in has to be recent, a token stolen later gets no cookie.
        let access = SessionAccess.session(.everyClient, .recent, accepting: .webSession)
        return [Route(.post, "/api/auth/web-session", access: access, use: open)]
    }

    /// `POST /api/auth/web-session`: sets the cookie of the token's session, instead of the one that the browser
    /// presents.
    private func open(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        guard !who.isBoundToKey else {
            throw APIError.invalidRequest(
                "This session is bound to a key, so a cookie can’t open it. Use its access token."
            )
        }
        let lifetime = try clients.client(named: who.client, surface: nil).refreshTokenLifetime
        let cookie = environment.newSecret()
        let held = BrowserSignIn.Cookie(
            cookie,
            replacing: cookies.digest(in: request),
            until: who.authenticatedAt + lifetime
        )
        guard try await signIn.open(held, for: who.session, of: who.account) else {
            throw APIError.unauthorized(.badToken)
        }
        var response = JSONReply.encode(ChangedResponse(message: "This browser is signed in"))
        cookies.set(cookie, on: &response)
        // A page never refreshes its tokens, so the refresh cookie of its sign-in would stay in the browser unused.
        refreshCookies.remove(for: request, on: &response)
        return response
    }
}
