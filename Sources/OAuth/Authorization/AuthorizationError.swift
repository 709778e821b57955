/// The reason why an authorization request is refused, and who is told.
package enum AuthorizationError: Error, Sendable, Equatable {
    /// The person is told, and the browser is not redirected: the address is unknown or not trusted
    /// (RFC 6749 §4.1.2.1, RFC 9700 §4.11.2).
    case page(OAuthError)
    /// The client is told through the browser.
    case redirect(OAuthError, AuthorizationAnswer)

    package var error: OAuthError {
        switch self {
        case .page(let error), .redirect(let error, _): error
        }
    }
}

/// A valid authorization request, and its client.
package struct ClientAuthorizationRequest: Sendable, Equatable {
    package let client: OAuthClient
    package let request: AuthorizationRequest
    /// The parameters that the request was read from; for a signed request, those of its object.
    package let parameters: AuthorizationParameters
}
