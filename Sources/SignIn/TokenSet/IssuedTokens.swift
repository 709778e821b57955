package import Kernel

/// The first two tokens of a session.
package struct TokenPair: Sendable {
    package let access: Secret
    /// The lifetime of the access token in seconds.
    package let expiresIn: Int
    /// `tokenType`: the scheme of the access token (RFC 6749 §7.1, RFC 9449 §5).
    package let type: String
    package let refresh: Secret
    package let refreshExpiresAt: Instant
}

/// The tokens of a refresh or a grant, for every kind of answer.
package struct IssuedTokens: Sendable {
    package let access: Secret
    /// The lifetime of the access token in seconds.
    package let expiresIn: Int
    /// `tokenType`: the scheme of the access token (RFC 6749 §7.1, RFC 9449 §5).
    package let type: String
    /// `nil` if the previous refresh token stays valid, or the client gets none.
    package let refresh: Secret?
    package let refreshExpiresAt: Instant
    /// The scopes of the access token; `nil` for a token without scopes.
    package var scope: String?
    package var identity: Secret?
}

/// The schemes that access tokens are sent in.
package enum TokenScheme {
    package static let bearer = "Bearer"
    /// The scheme of RFC 9449 §7.1, in capitals as a challenge writes it.
    package static let dpop = "DPoP"

    package static func of(_ proofKey: Digest256?) -> String { proofKey == nil ? bearer : dpop }
}
