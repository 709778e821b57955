package import Kernel

/// The first two tokens of a session.
package struct TokenPair: Sendable {
    package let access: Secret
    /// Seconds.
    package let expiresIn: Int
    /// `tokenType`: the scheme that the access token is sent in (RFC 6749 §7.1, RFC 9449 §5).
    package let type: String
    package let refresh: Secret
    package let refreshExpiresAt: Instant
}

/// The tokens that a refresh or a grant gets, whatever an answer calls them.
package struct IssuedTokens: Sendable {
    package let access: Secret
    /// Seconds.
    package let expiresIn: Int
    /// `tokenType`: the scheme that the access token is sent in (RFC 6749 §7.1, RFC 9449 §5).
    package let type: String
    /// `nil` where the previous one stays in force, or the client gets none.
    package let refresh: Secret?
    package let refreshExpiresAt: Instant
    /// What the access token is limited to; `nil` for one of no scopes.
    package var scope: String?
    package var identity: Secret?
}

/// The schemes that access tokens are sent in.
package enum TokenScheme {
    package static let bearer = "Bearer"
    /// RFC 9449 §7.1, in capitals as a challenge writes it.
    package static let dpop = "DPoP"

    package static func of(_ proofKey: Digest256?) -> String { proofKey == nil ? bearer : dpop }
}
