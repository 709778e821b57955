package import CodeFlow
package import Kernel

/// The encrypted contents of a code of this server.
struct CodeTicket: Codable, Equatable {
    let upstream: String
    let client: String
    let redirectURI: String
    let challenge: String?
    /// The upstream's code.
    let code: String
    let verifier: String?
    /// The expiry in milliseconds since 1970.
    let expiresAt: Int64
}

extension BrokerService {
    /// Returns the redirect to the app for a browser that the upstream has redirected back.
    ///
    /// `browser` is the value of the browser's cookie. `upstream` returns the configured upstream of a name.
    /// - Throws: ``CallbackError``; ``StoreError``.
    package func redirectBack(
        _ callback: AuthorizationCallback,
        browser: Secret?,
        upstream: (String) -> Upstream?
    ) async throws -> AuthorizationAnswer {
        guard let state = callback.state,
            let ticket = tickets.open(state, as: RedirectTicket.self, for: .redirect),
            environment.now() < Instant(milliseconds: ticket.expiresAt), let upstream = upstream(ticket.upstream)
        else { throw CallbackError.unknown }
        guard let redirected = Base64URL.decode(ticket.browser).flatMap({ Digest256($0) }) else {
            throw CallbackError.otherBrowser
        }
        try callback.check(browser: browser, redirected: redirected)
        try callback.checkIssuer(of: upstream.server)
        let answer = try callback.answer()
        guard try await tickets.use(state, for: .redirect, until: Instant(milliseconds: ticket.expiresAt)) else {
            throw CallbackError.unknown
        }
        return self.answer(answer, ticket)
    }

    private func answer(_ shown: AuthorizationCallback.Answer, _ ticket: RedirectTicket) -> AuthorizationAnswer {
        var parameters: [AuthorizationAnswer.Parameter]
        switch shown {
        case .error(let error):
            parameters = [
                .init("error", Self.code(for: error).rawValue),
                .init("error_description", "The authorization server refused."),
            ]
        case .code(let code):
            parameters =
                self.code(code, ticket).map { [.init("code", $0)] } ?? [
                    .init("error", OAuthErrorCode.serverError.rawValue),
                    .init("error_description", OAuthError.broken.description),
                ]
        }
        if let state = ticket.state { parameters.append(.init("state", state)) }
        parameters.append(.init("iss", issuer))
        return AuthorizationAnswer(
            redirectURI: ticket.redirectURI,
            responseMode: AuthorizationRequest.ResponseMode(rawValue: ticket.responseMode) ?? .query,
            parameters: parameters
        )
    }

    private func code(_ code: Secret, _ redirect: RedirectTicket) -> String? {
        let ticket = CodeTicket(
            upstream: redirect.upstream,
            client: redirect.client,
            redirectURI: redirect.redirectURI,
            challenge: redirect.challenge,
            code: code.expose(),
            verifier: redirect.verifier,
            expiresAt: (environment.now() + Self.codeLifetime).milliseconds
        )
        return (try? tickets.seal(ticket, for: .code)).map { Self.codePrefix + $0 }
    }

    /// Returns the error for the app.
    ///
    /// Errors of this server's own request are not passed on: the app cannot correct them.
    private static func code(for error: String) -> OAuthErrorCode {
        let passed: [OAuthErrorCode] = [
            .accessDenied, .temporarilyUnavailable, .loginRequired, .interactionRequired, .consentRequired,
        ]
        return passed.first { $0.rawValue == error } ?? .serverError
    }
}
