package import Kernel

/// A browser on its way to an upstream.
package struct Departure: Sendable, Equatable {
    /// The upstream's address with the parameters of the request, to be written as a redirect's.
    package let answer: AuthorizationAnswer
    /// The cookie that ties the way back to this browser (RFC 9700 §4.7.1).
    package let browser: Secret
}

/// What the `state` of a departure holds, sealed.
struct DepartureTicket: Codable, Equatable {
    let upstream: String
    let client: String
    let redirectURI: String
    let responseMode: String
    let state: String?
    /// The app's code challenge, base64url.
    let challenge: String?
    /// Our own verifier towards the upstream.
    let verifier: String?
    /// SHA-256 of the cookie, base64url.
    let browser: String
    /// Milliseconds.
    let expiresAt: Int64
}

extension BrokerService {
    /// Sends a browser to the client's upstream, for a request that was found good.
    ///
    /// `earlier`: the cookie that the browser has from another departure: sign-ins in two tabs share it.
    package func depart(
        _ request: AuthorizationRequest,
        to upstream: Upstream,
        earlier: Secret? = nil
    ) throws(OAuthError) -> Departure {
        let browser = earlier ?? facts.newSecret()
        let verifier = upstream.takesCodeChallenge ? facts.newSecret() : nil
        let ticket = DepartureTicket(
            upstream: upstream.name,
            client: request.clientID,
            redirectURI: request.redirectURI,
            responseMode: request.responseMode.rawValue,
            state: request.state,
            challenge: request.codeChallenge.map { Base64URL.encode($0.bytes) },
            verifier: verifier?.expose(),
            browser: Base64URL.encode(Digest256(sha256: browser.expose()).bytes),
            expiresAt: (facts.now() + Self.departureLifetime).milliseconds
        )
        guard let state = try? tickets.seal(ticket, for: .departure) else { throw .broken }
        return Departure(
            answer: AuthorizationAnswer(
                redirectURI: upstream.authorizeURL,
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
        var parameters: [AuthorizationAnswer.Parameter] = [
            .init("response_type", "code"), .init("client_id", upstream.clientID), .init("redirect_uri", callback),
            .init("state", state),
        ]
        if !upstream.scopes.isEmpty { parameters.append(.init("scope", upstream.scopes.joined(separator: " "))) }
        if let verifier {
            let challenge = Digest256(sha256: verifier.expose())
            parameters += [
                .init("code_challenge", Base64URL.encode(challenge.bytes)), .init("code_challenge_method", "S256"),
            ]
        }
        if !request.prompts.isEmpty {
            let prompts = request.prompts.map(\.rawValue).sorted().joined(separator: " ")
            parameters.append(.init("prompt", prompts))
        }
        if let maxAge = request.maxAge { parameters.append(.init("max_age", String(maxAge))) }
        if let hint = request.loginHint { parameters.append(.init("login_hint", hint)) }
        return parameters
    }
}

extension OAuthError {
    /// A fault of this program.
    static let broken = OAuthError(.serverError, "The server failed.")
}
