/// A client that has shown at one of our endpoints that it is itself, or is public and named itself.
///
/// ``ClientAuthenticator`` alone makes one.
package struct AuthenticatedClient: Sendable, Equatable {
    package let client: OAuthClient
    package let method: Method

    init(client: OAuthClient, method: Method) {
        self.client = client
        self.method = method
    }

    /// How it did (OpenID Connect Core §9, OAuth 2.0 token endpoint authentication methods).
    package enum Method: String, Sendable, CaseIterable {
        case none
        case secretBasic = "client_secret_basic"
        case secretPost = "client_secret_post"
        case privateKeyJWT = "private_key_jwt"
    }
}
