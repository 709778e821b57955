package import Kernel

/// A client that has authenticated at an endpoint, or a public client that has named itself.
///
/// Only ``ClientAuthenticator`` creates a value.
package struct AuthenticatedClient: Sendable, Equatable {
    package let client: OAuthClient
    package let method: Method
    /// The mark of the client's assertion, which ``ClientAuthenticator/refusal`` refuses if it is stored already.
    ///
    /// `nil` for every other method. The caller stores it before it answers anything.
    package let assertion: UsedMark?

    init(client: OAuthClient, method: Method, assertion: UsedMark? = nil) {
        self.client = client
        self.method = method
        self.assertion = assertion
    }

    /// The method of authentication (OpenID Connect Core §9, OAuth 2.0 token endpoint authentication methods).
    package enum Method: String, Sendable, CaseIterable {
        case none
        case secretBasic = "client_secret_basic"
        case secretPost = "client_secret_post"
        case privateKeyJWT = "private_key_jwt"
    }
}
