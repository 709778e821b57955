package import Kernel

/// Reads authorization requests and checks every parameter against the client's registration (RFC 6749 §4.1.1, OpenID
/// Connect Core §3.1.2.2).
///
/// The client is checked first, then the redirect URI, then the rest: no error is sent to an unverified address.
package struct AuthorizationRequestReader: Sendable {
    private let clients: @Sendable (String) -> OAuthClient?
    private let hints: any IDTokenHints
    private let answers: AuthorizationAnswers

    package init(
        clients: @escaping @Sendable (String) -> OAuthClient?,
        hints: any IDTokenHints,
        answers: AuthorizationAnswers
    ) {
        self.clients = clients
        self.hints = hints
        self.answers = answers
    }

    /// The way in which the parameters arrived.
    package enum Way: Sendable, Equatable {
        /// From the browser, in the address or in a form: anybody may have written them.
        case browser
        /// From the client itself, directly or in a pushed request.
        case pushed
    }

    /// Returns the client of the parameter `client_id`.
    /// - Throws: ``AuthorizationError/page(_:)``.
    package func client(_ parameters: AuthorizationParameters) throws(AuthorizationError) -> OAuthClient {
        guard let id = parameters["client_id"] else {
            throw .page(OAuthError(.invalidRequest, "The parameter client_id is missing."))
        }
        guard let client = clients(id), client.isEnabled else {
            throw .page(OAuthError(.invalidClient, "The client_id is unknown, or the client is disabled."))
        }
        return client
    }

    /// Returns the request that the parameters describe.
    package func read(
        _ parameters: AuthorizationParameters,
        by way: Way,
        at now: Instant
    ) throws(AuthorizationError) -> ClientAuthorizationRequest {
        let client = try client(parameters)
        var parameters = parameters
        if parameters["request"] != nil {
            // RFC 9101 §6.3: parameters outside of the request object are ignored.
            do throws(OAuthError) {
                parameters = try RequestObject(parameters, of: client, for: answers.issuer, at: now).parameters
            } catch { throw .page(error) }
        }
        let target = try target(parameters, of: client)
        do throws(OAuthError) {
            try checkSupport(parameters, by: way, of: client)
            let request = try request(parameters, of: client, to: target)
            return ClientAuthorizationRequest(client: client, request: request, parameters: parameters)
        } catch {
            // RFC 9700 §4.11.2: an attacker may have registered this client only to redirect people to its address.
            guard client.origin != .registered else { throw .page(error) }
            throw .redirect(error, answers.error(error, to: target))
        }
    }

    // MARK: Where an answer may go

    private func target(
        _ parameters: AuthorizationParameters,
        of client: OAuthClient
    ) throws(AuthorizationError) -> AuthorizationAnswers.Target {
        if let state = parameters["state"], !RequestText.isState(state) {
            // The answer could not repeat the state unchanged.
            throw .page(OAuthError(.invalidRequest, "The parameter state is too long, or has control characters."))
        }
        let redirectURI = try redirectURI(parameters, of: client)
        return AuthorizationAnswers.Target(
            redirectURI: redirectURI,
            // An unusable response mode is refused later; that error is sent in the query.
            responseMode: Self.isPosted(parameters, to: redirectURI) ? .formPost : .query,
            state: parameters["state"]
        )
    }

    /// Whether errors are sent by form post, as the code would be (OAuth 2.0 Form Post Response Mode §2).
    ///
    /// This also applies to the registered redirect URI, used if the request names none.
    private static func isPosted(_ parameters: AuthorizationParameters, to redirectURI: String) -> Bool {
        let isWeb = redirectURI.hasPrefix("https:") || redirectURI.hasPrefix("http:")
        return isWeb && parameters["response_mode"] == AuthorizationRequest.ResponseMode.formPost.rawValue
    }

    /// Returns the redirect URI of the answer (RFC 6749 §3.1.2.3, RFC 9700 §4.1.3).
    private func redirectURI(
        _ parameters: AuthorizationParameters,
        of client: OAuthClient
    ) throws(AuthorizationError) -> String {
        guard let asked = parameters["redirect_uri"] else {
            // OpenID Connect Core §3.1.2.1 requires `redirect_uri`.
            let isOpenID = parameters["scope"].map { $0.split(separator: " ").contains("openid") } ?? false
            guard !isOpenID, client.authorization.redirectURIs.count == 1 else {
                throw .page(OAuthError(.invalidRequest, "The parameter redirect_uri is missing."))
            }
            return client.authorization.redirectURIs[0]
        }
        guard client.authorization.redirectURIs.contains(where: { RedirectURIMatch.matches(asked, $0) }) else {
            throw .page(OAuthError(.invalidRedirectURI, "The redirect_uri is not one that the client has registered."))
        }
        return asked
    }

    // MARK: The rest

    private func checkSupport(
        _ parameters: AuthorizationParameters,
        by way: Way,
        of client: OAuthClient
    ) throws(OAuthError) {
        // OpenID Connect Core §6.2: this server would have to call an address that the client chose (RFC 9101 §10.4.1).
        guard parameters["request_uri"] == nil else {
            throw OAuthError(.requestURINotSupported, "The request_uri is not one of a request that was pushed here.")
        }
        guard parameters["registration"] == nil else {
            throw OAuthError(.registrationNotSupported, "The parameter registration is not supported.")
        }
        // RFC 9126 §5.
        guard way == .pushed || !client.authorization.requiresPushedRequests else {
            throw OAuthError(.invalidRequest, "This client has to push its authorization requests.")
        }
    }

    private func request(
        _ parameters: AuthorizationParameters,
        of client: OAuthClient,
        to target: AuthorizationAnswers.Target
    ) throws(OAuthError) -> AuthorizationRequest {
        // RFC 6749 §3.1.1: `response_type` is required. OAuth 2.1 allows `code` alone.
        guard let type = parameters["response_type"] else {
            throw OAuthError(.invalidRequest, "The parameter response_type is missing.")
        }
        guard type == "code" else { throw OAuthError(.unsupportedResponseType, "The response_type can only be code.") }
        guard client.access.grants.contains(.authorizationCode) else {
            throw OAuthError(.unauthorizedClient, "This client may not ask for authorization codes.")
        }
        let reader = RequestParameters(parameters, client)
        let (named, nonce) = (try reader.scopes(), try reader.nonce())
        let claims = named.contains(ScopeSet.openID) ? try reader.personClaims() : (inToken: [], anywhere: [])
        // OpenID Connect Core §5.4: scopes are a short form of claims. So the requested claims become scopes: the
        // consent page shows both in the same words, and the answer states what was granted.
        let scopes = ScopeSet(named.values.union(claims.anywhere.map(\.scope)))
        let context = try reader.contextClass()
        return AuthorizationRequest(
            clientID: client.id,
            redirectURI: target.redirectURI,
            namesRedirectURI: parameters["redirect_uri"] != nil,
            responseMode: try reader.responseMode(to: target.redirectURI),
            state: target.state,
            scopes: scopes,
            resources: try reader.resources(),
            codeChallenge: try reader.codeChallenge(scopes, nonce),
            nonce: nonce,
            prompts: try reader.prompts(),
            maxAge: try reader.maxAge(),
            contextClass: context.wanted,
            isContextClassEssential: context.isEssential,
            loginHint: try reader.loginHint(),
            hintedAccount: try hintedAccount(parameters, of: client, subject: reader.subject()),
            proofKey: try reader.proofKey(),
            uiLocales: reader.uiLocales(),
            identityClaims: claims.inToken
        )
    }

    /// Returns the account of `id_token_hint`, an id token that this server must have signed (OpenID Connect Core
    /// §3.1.2.1).
    ///
    /// `subject` is the account that the parameter `claims` asks for (§3.1.2.2).
    private func hintedAccount(
        _ parameters: AuthorizationParameters,
        of client: OAuthClient,
        subject: AccountID?
    ) throws(OAuthError) -> AccountID? {
        guard let token = parameters["id_token_hint"] else { return subject }
        guard let account = hints.account(of: token, for: client) else {
            throw OAuthError(.invalidRequest, "The id_token_hint is not an id token of this server for this client.")
        }
        guard subject == nil || subject == account else {
            throw OAuthError(.invalidRequest, "The id_token_hint and the claim sub name different people.")
        }
        return account
    }
}

/// The allowed characters and lengths of request parameters.
enum RequestText {
    /// The most bytes of `state`.
    ///
    /// Some clients keep a page's address in it.
    static let longest = 4096

    /// Whether a text contains only VSCHAR (RFC 6749 appendix A.5) and letters beyond ASCII, which can be repeated
    /// unchanged.
    ///
    /// A replacement character is refused: it may come from invalid bytes, which could not be repeated.
    static func isState(_ text: String) -> Bool { isPlain(text, upTo: longest) }

    static func isPlain(_ text: String, upTo limit: Int) -> Bool {
        text.utf8.count <= limit
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}" }
    }
}
