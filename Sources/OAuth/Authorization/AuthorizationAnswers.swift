import Kernel

/// Builds the answers that the browser carries to clients.
///
/// Each names this server in `iss` (RFC 9207) and repeats the `state`.
package struct AuthorizationAnswers: Sendable, Equatable {
    /// The value of `iss`, by which a client of several servers tells which of them answered (RFC 9700 §4.4.2.1).
    package let issuer: String

    package init(issuer: String) { self.issuer = issuer }

    /// Returns the redirect with a code (RFC 6749 §4.1.2).
    func code(_ code: Secret, to request: AuthorizationRequest) -> AuthorizationAnswer {
        answer([.init("code", code.expose())], to: .init(of: request))
    }

    /// Returns the redirect with an error (RFC 6749 §4.1.2.1).
    package func error(_ error: OAuthError, to request: AuthorizationRequest) -> AuthorizationAnswer {
        self.error(error, to: .init(of: request))
    }

    func error(_ error: OAuthError, to target: Target) -> AuthorizationAnswer {
        answer([.init("error", error.code.rawValue), .init("error_description", error.description)], to: target)
    }

    private func answer(_ own: [AuthorizationAnswer.Parameter], to target: Target) -> AuthorizationAnswer {
        let state = target.state.map { [AuthorizationAnswer.Parameter("state", $0)] } ?? []
        return AuthorizationAnswer(
            redirectURI: target.redirectURI,
            responseMode: target.responseMode,
            parameters: own + state + [.init("iss", issuer)]
        )
    }

    /// The destination of an answer.
    ///
    /// It is known before the other parameters of the request are checked.
    struct Target: Sendable {
        let redirectURI: String
        let responseMode: AuthorizationRequest.ResponseMode
        let state: String?

        init(redirectURI: String, responseMode: AuthorizationRequest.ResponseMode, state: String?) {
            self.redirectURI = redirectURI
            self.responseMode = responseMode
            self.state = state
        }

        init(of request: AuthorizationRequest) {
            self.init(
                redirectURI: request.target.redirectURI,
                responseMode: request.target.responseMode,
                state: request.target.state
            )
        }
    }
}
