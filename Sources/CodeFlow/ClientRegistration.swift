package import Kernel

/// The client as which this server is registered at an authorization server (RFC 6749 §2).
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

    /// The place of the secret in a request (RFC 6749 §2.3.1).
    ///
    /// A public client has no secret.
    package enum Authentication: String, Sendable, CaseIterable {
        case none, post, basic
    }
}
