package import Kernel

/// An authorization request that a client has pushed (RFC 9126).
///
/// It is kept until the browser presents its `request_uri`.
package struct PushedRequest: Sendable, Equatable {
    /// SHA-256 of the reference, the last part of `request_uri`.
    package let digest: Digest256
    package let clientID: String
    package let parameters: AuthorizationParameters
    package let createdAt: Instant
    package let expiresAt: Instant

    package init(
        digest: Digest256,
        clientID: String,
        parameters: AuthorizationParameters,
        createdAt: Instant,
        expiresAt: Instant
    ) {
        self.digest = digest
        self.clientID = clientID
        self.parameters = parameters
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
