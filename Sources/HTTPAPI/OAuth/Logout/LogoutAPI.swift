import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Sessions
import SignIn
import Tokens
import Web

/// Signs a person out at a client's request (OpenID Connect RP-Initiated Logout 1.0).
///
/// A logout ends the session that the id token names, and the browser's own session. The person is asked first unless
/// an id token shows that client and browser mean the same person: a link alone signs nobody out.
struct LogoutAPI: Sendable {
    private static let path = "/oauth/logout"
    private static let confirmation = "/oauth/logout/confirm"

    let clients: OAuthClientDirectory
    let verifier: TokenVerifier
    let grants: any OAuthGrantStore
    let sessions: SessionService
    let browser: BrowserProof
    let signOut: SignOut
    let environment: Environment
    let pages: LogoutPages

    var routes: [Route] {
        let access = OpenAccess.everybody(accepting: .webSession)
        return [
            Route(.get, Self.path, access: access) { request, context in try await begin(request, context) },
            // §2: a client may send the parameters in a form as well.
            Route(.post, Self.path, access: access) { request, context in
                try await answer(request, context) { Self.redirectToGet(try await OAuthForm(body: request)) }
            },
            // The edge refuses this form from pages of other sites.
            Route(.post, Self.confirmation, access: access) { request, context in
                try await answer(request, context) {
                    let logout = try checkedLogout(OAuthForm(query: request), hint: nil)
                    return try await end(logout, for: request, in: context)
                }
            },
        ]
    }

    /// Redirects the browser to a GET, which sends the `SameSite=Lax` cookies.
    ///
    /// Another site's form comes without them (RFC 6265bis §5.6.7.1), as if nobody were signed in.
    private static func redirectToGet(_ form: OAuthForm) -> Response {
        let query = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales"].compactMap {
            name in
            form[name].map { (name, $0) }
        }
        let address = query.isEmpty ? path : QueryText.add(query, to: path)
        return .seeOther(address)
    }

    private func begin(_ request: Request, _ context: APIContext) async throws -> Response {
        try await answer(request, context) {
            let form = try OAuthForm(query: request)
            let logout = try checkedLogout(form, hint: form["id_token_hint"])
            let signedIn = try await browser.anySession(request)
            guard logout.isCertain(signedIn: signedIn?.account) else {
                return ask(about: logout, form: form, in: texts(of: logout, request, context))
            }
            return try await end(logout, for: request, in: context)
        }
    }

    /// Turns an error of the client's request into a page, because a person reads the answer.
    private func answer(
        _ request: Request,
        _ context: APIContext,
        with body: () async throws -> Response
    ) async throws -> Response {
        do { return try await body() } catch is OAuthError {
            return pages.render(.refused, in: context.language.textsOfAddress(request))
        }
    }

    /// Reads the request; an expired id token is still a valid hint (§2).
    private func checkedLogout(_ form: OAuthForm, hint: String?) throws -> CheckedLogout {
        let claims = hint.flatMap { try? verifier.verifyIdentityHint($0, now: environment.now()) }
        return try CheckedLogout(
            LogoutRequest(form),
            hint: claims.map {
                CheckedLogout.Hint(account: $0.account, clientID: $0.clientID, session: $0.session)
            },
            client: clients.client
        )
    }

    /// Returns the texts under the brand of the request's client.
    private func texts(of logout: CheckedLogout, _ request: Request, _ context: APIContext) -> LocalizedStrings {
        context.language.textsOfAddress(request).branded(for: logout.client?.id)
    }

    private func ask(about logout: CheckedLogout, form: OAuthForm, in texts: LocalizedStrings) -> Response {
        // The next page has to be in the language of this one.
        let query = [LogoutRequest(form).query, QueryText.text([("ui_locales", texts.language)])]
        return pages.ask(
            logout.client?.name,
            action: Self.confirmation + "?" + query.filter { !$0.isEmpty }.joined(separator: "&"),
            leadingTo: logout.redirectURI,
            in: texts
        )
    }

    private func end(
        _ logout: CheckedLogout,
        for request: Request,
        in context: APIContext
    ) async throws -> Response {
        let (cookie, session) = (browser.cookies.digest(in: request), try await browser.anySession(request))
        let hinted = try await hintedSession(logout)
        try await signOut.end(cookie: cookie, and: [session, hinted].compactMap(\.self))
        // 303: the browser follows with a GET (RFC 9110 §15.4.4).
        var response =
            logout.destination.map { .seeOther($0) }
            ?? pages.render(.done, in: texts(of: logout, request, context))
        browser.cookies.remove(from: request, on: &response)
        return response
    }

    /// Returns the id token's session, if it still belongs to the token's client and person.
    private func hintedSession(_ logout: CheckedLogout) async throws -> Session? {
        guard let hint = logout.hint, let grant = try await grants.find(hint.session), grant.clientID == hint.clientID,
            let session = try await sessions.find(hint.session), session.account == hint.account
        else { return nil }
        return session
    }
}

extension LogoutRequest {
    init(_ form: OAuthForm) {
        self.init(clientID: form["client_id"], redirectURI: form["post_logout_redirect_uri"], state: form["state"])
    }
}
