/// The reason why an authorization request is refused, and whether the person or the client is told.
package enum AuthorizationError: Error, Sendable, Equatable {
    /// The person is told on a page. The browser is not redirected, because the redirect URI is unknown or not trusted
    /// (RFC 6749 §4.1.2.1, RFC 9700 §4.11.2).
    case page(OAuthError)
    /// The client is told by a redirect of the browser.
    case redirect(OAuthError, AuthorizationAnswer)

    package var error: OAuthError {
        switch self {
        case .page(let error), .redirect(let error, _): error
        }
    }
}

/// A valid authorization request and the client that sent it.
package struct ClientAuthorizationRequest: Sendable, Equatable {
    package let client: OAuthClient
    package let request: AuthorizationRequest
    /// The parameters that the request was read from; for a signed request, those of its request object.
    package let parameters: AuthorizationParameters
}
