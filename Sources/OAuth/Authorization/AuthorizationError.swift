/// Why an authorization request is not taken up.
package enum AuthorizationError: Error, Sendable, Equatable {
    /// The person is told, and the browser goes nowhere: whose address that would be is not known, or not trusted
    /// (RFC 6749 §4.1.2.1, RFC 9700 §4.11.2).
    case page(OAuthError)
    /// The client is told, by way of the browser.
    case redirect(OAuthError, AuthorizationAnswer)

    package var error: OAuthError {
        switch self {
        case .page(let error), .redirect(let error, _): error
        }
    }
}

/// An authorization request that was found good, and whose it is.
package struct ClientAuthorizationRequest: Sendable, Equatable {
    package let client: OAuthClient
    package let request: AuthorizationRequest
    /// What it was read from; of a signed request, what stands in its object.
    package let parameters: AuthorizationParameters
}
