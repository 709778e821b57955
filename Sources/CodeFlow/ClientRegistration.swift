package import Kernel

/// The client that an authorization server knows this one as (RFC 6749 §2).
package struct ClientRegistration: Sendable, Equatable {
    /// `client_id`.
    package var id: String
    /// The secret; `nil` where ``authentication`` is `none`.
    package var secret: Secret?
    package var authentication: Authentication

    package init(id: String, secret: Secret? = nil, authentication: Authentication) {
        self.id = id
        self.secret = secret
        self.authentication = authentication
    }

    /// The place of the secret in a request (RFC 6749 §2.3.1); a public client has none.
    package enum Authentication: String, Sendable, CaseIterable {
        case none, post, basic
    }
}
