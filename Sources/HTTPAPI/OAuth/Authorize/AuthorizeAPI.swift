import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn
import Web

/// The authorization endpoint (RFC 6749 §3.1): reads a request, and answers it at once or sends the browser to the
/// sign-in page.
///
/// A GET answers a signed-in person's request at once only if their session and consent already allow this client. A
/// POST is redirected to a GET (OpenID Connect Core §3.1.2.1 asks for both). Another site's form comes without the
/// `SameSite=Lax` cookie. Answering it would replace the cookie that this browser's other requests need. After the
/// redirect the browser sends the cookie.
struct AuthorizeAPI: Sendable {
    let requests: AuthorizationServices
    let browser: BrowserProof
    let limits: AddressGate
    let environment: Environment
    let server: ServerConfiguration
    /// Answers the requests of an upstream's clients at `/authorize`.
    let broker: UpstreamSignIn?
    let pages: AuthorizePages

    var routes: [Route] {
        let access = OpenAccess.everybody(accepting: .webSession, .interactionCookie)
        return ["/oauth/authorize", "/authorize"].flatMap { path in
            let isBrokered = path == "/authorize"
            return [
                Route(.get, path, access: access) { request, context in
                    try await answer(request, context, isBrokered: isBrokered) { try OAuthForm(query: request) }
                },
                Route(.post, path, access: access) { request, context in
                    try await byAddress(path, for: request, in: context)
                },
            ]
        }
    }

    /// Redirects a POST to the same request as a GET, or shows a page for an unreadable form.
    ///
    /// `path`: The route's path. The request's own path may begin with two slashes, and would then name a host.
    private func byAddress(_ path: String, for request: Request, in context: APIContext) async throws -> Response {
        do {
            let query = try await OAuthForm(body: request).query
            return .seeOther("\(path)?\(query)")
        } catch let error as OAuthError {
            return pages.refused(error, in: context.language.texts(for: request))
        }
    }

    /// Answers with a page or a redirect, errors included, because a person reads the answer.
    private func answer(
        _ request: Request,
        _ context: APIContext,
        isBrokered: Bool,
        form: () async throws -> OAuthForm
    ) async throws -> Response {
        var texts = context.language.textsOfAddress(request)
        do {
            try await limits.admit(.initiatePerAddress, for: request, in: context)
            let authorization = try await authorization(AuthorizationParameters(try await form()))
            // The language of a signed or pushed request is known only after it has been read.
            texts = context.language.texts(for: request, asked: authorization.request.demands.uiLocales)
                .branded(for: authorization.client.id)
            if authorization.client.authorization.upstream != nil {
                guard isBrokered else { throw ClientReader.brokered }
                guard let broker else { throw OAuthError(.temporarilyUnavailable, "The upstream is switched off.") }
                return try broker.redirect(for: authorization.request, of: authorization.client, in: request, context)
            }
            return try await respond(to: authorization, request, in: texts)
        } catch let refusal as AuthorizationError {
            switch refusal {
            case .page(let error): return pages.refused(error, in: texts)
            case .redirect(_, let answer): return AnswerResponse.make(answer, in: texts)
            }
        } catch let error as OAuthError {
            return pages.refused(error, in: texts)
        } catch {
            throw PageError(cause: error, page: pages.fault(APIError(error, bodyLimit: server.bodyLimit), in: texts))
        }
    }

    /// Reads the request, whose parameters are in the query or were pushed before (RFC 9126 §4).
    private func authorization(_ given: AuthorizationParameters) async throws -> ClientAuthorizationRequest {
        guard let uri = given["request_uri"], uri.hasPrefix(PushedRequests.prefix) else {
            return try requests.reader.read(given, by: .browser, at: environment.now())
        }
        let client = try requests.reader.client(given)
        guard let parameters = try await requests.pushed.take(uri, of: client.id) else {
            throw OAuthError(.invalidRequestURI, "The request_uri was used, has expired, or is not this client's.")
        }
        return try requests.reader.read(parameters, by: .pushed, at: environment.now())
    }

    private func respond(
        to authorization: ClientAuthorizationRequest,
        _ request: Request,
        in texts: LocalizedStrings
    ) async throws -> Response {
        let (session, client) = (try await browser.proven(request), authorization.client)
        let authorization = authorization.request
        var hasConsented = false
        if let session { hasConsented = try await requests.service.hasConsented(session.account, to: authorization) }
        var step = requests.service.step(authorization, session: session, client: client, hasConsented: hasConsented)
        if case .grant(let grant) = step {
            if let answer = try await requests.codes.answer(authorization, with: grant) {
                return AnswerResponse.make(answer, in: texts)
            }
            // The session has ended since the check above, so nobody is signed in.
            step = requests.service.step(authorization, session: nil, client: client, hasConsented: false)
        }
        guard case .answer(let answer) = step else { return try await begin(authorization, request, in: texts) }
        return AnswerResponse.make(answer, in: texts)
    }

    /// Stores the request for this browser, and sends the browser to the sign-in page.
    private func begin(
        _ authorization: AuthorizationRequest,
        _ request: Request,
        in texts: LocalizedStrings
    ) async throws -> Response {
        let cookies = server.interactionCookie
        let cookie = cookies.secret(request) ?? environment.newSecret()
        let id = try await requests.service.begin(authorization, browser: cookie)
        var response = Response.seeOther("/oauth/sign-in/\(id.expose())")
        cookies.set(cookie, on: &response)
        if authorization.demands.uiLocales != nil {
            LanguageCookie.keep(texts, of: id, isSecure: cookies.isSecure, for: request, on: &response)
        }
        return response
    }
}

extension OAuthForm {
    /// The parameters as the query of an address, without the client's credentials (RFC 6749 §2.3.1).
    fileprivate var query: String {
        let secret: Set<String> = ["client_secret", "client_assertion", "client_assertion_type"]
        return QueryText.text(
            names.subtracting(secret).sorted().flatMap { name in
                (self[name].map { [$0] } ?? all(name)).map { (name, $0) }
            }
        )
    }
}

extension AuthorizationParameters {
    init(_ form: OAuthForm) {
        var values: [String: String] = [:]
        for name in form.names { values[name] = form[name] }
        self.init(values: values, resources: form.all("resource"))
    }
}
