import CodeFlow
package import Kernel

/// The redirect of a browser to an upstream.
package struct UpstreamRedirect: Sendable, Equatable {
    /// The upstream's address with the parameters of the request.
    package let answer: AuthorizationAnswer
    /// The value of the cookie that binds the callback to this browser (RFC 9700 §4.7.1).
    package let browser: Secret
}

/// The encrypted contents of the `state` that is sent to the upstream.
struct RedirectTicket: Codable, Equatable {
    let upstream: String
    let client: String
    let redirectURI: String
    let responseMode: String
    let state: String?
    /// The app's code challenge in base64url.
    let challenge: String?
    /// The code verifier that this server uses at the upstream.
    let verifier: String?
    /// SHA-256 of the cookie's value, in base64url.
    let browser: String
    /// The expiry in milliseconds since 1970.
    let expiresAt: Int64
}

extension BrokerService {
    /// Returns the redirect of a browser to the client's upstream, for a valid request.
    ///
    /// `earlier` is the cookie that the browser has from a previous redirect. Sign-ins in two tabs share one cookie.
    package func redirect(
        _ request: AuthorizationRequest,
        to upstream: Upstream,
        earlier: Secret? = nil
    ) throws(OAuthError) -> UpstreamRedirect {
        let browser = earlier ?? environment.newSecret()
        let verifier = upstream.takesCodeChallenge ? environment.newSecret() : nil
        let ticket = RedirectTicket(
            upstream: upstream.name,
            client: request.clientID,
            redirectURI: request.target.redirectURI,
            responseMode: request.target.responseMode.rawValue,
            state: request.target.state,
            challenge: request.binding.codeChallenge.map { Base64URL.encode($0.bytes) },
            verifier: verifier?.expose(),
            browser: Base64URL.encode(Digest256(sha256: browser.expose()).bytes),
            expiresAt: (environment.now() + Self.redirectLifetime).milliseconds
        )
        guard let state = try? tickets.seal(ticket, for: .redirect) else { throw .broken }
        return UpstreamRedirect(
            answer: AuthorizationAnswer(
                redirectURI: upstream.server.authorizeURL,
                responseMode: .query,
                parameters: parameters(request, upstream, state: state, verifier: verifier)
            ),
            browser: browser
        )
    }

    private func parameters(
        _ request: AuthorizationRequest,
        _ upstream: Upstream,
        state: String,
        verifier: Secret?
    ) -> [AuthorizationAnswer.Parameter] {
        var parameters = upstream.server.authorizationParameters(
            redirectURI: callback,
            state: state,
            verifier: verifier
        )
        .map { AuthorizationAnswer.Parameter($0.name, $0.value) }
        if !request.demands.prompts.isEmpty {
            let prompts = request.demands.prompts.map(\.rawValue).sorted().joined(separator: " ")
            parameters.append(.init("prompt", prompts))
        }
        if let maxAge = request.demands.maxAge { parameters.append(.init("max_age", String(maxAge))) }
        if let hint = request.demands.loginHint { parameters.append(.init("login_hint", hint)) }
        return parameters
    }
}

extension OAuthError {
    /// The error for the app when an operation of this server fails.
    static let broken = OAuthError(.serverError, "The server failed. Begin again.")
}
