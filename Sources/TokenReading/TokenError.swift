/// The reason why a token is refused.
///
/// For logs, and for the branch between "expired" and the rest; the wire says no more than `invalid_token` (RFC 6750
/// §3.1).
package enum TokenError: String, Error, CaseIterable, Sendable {
    /// The token is not three parts of canonical base64url, is too long, or its header is not a JSON object with unique
    /// members.
    case malformed
    /// A header member that this server never writes: `crit`, `jwk`, `jku`, …
    case header
    /// The `typ` or the `type` claim of another kind of token.
    case wrongType = "wrong_type"
    /// `alg` is not the algorithm of the key that `kid` names.
    case algorithm
    /// There is no key with that `kid`.
    case unknownKey = "unknown_key"
    /// The key was rotated out and the time of its tokens is over.
    case retiredKey = "retired_key"
    case signature
    /// The signature is valid, but a claim is missing or has another type.
    case claims
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    /// The token is bound to a key that was not proven, or came with the proof of another key.
    case binding
    case expired
    /// `iat` or `nbf` is in the future.
    case notYetValid = "not_yet_valid"
}
