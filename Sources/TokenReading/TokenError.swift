/// The reason why a token is refused.
///
/// The reason is for logs, and distinguishes expired tokens from others. A response says only `invalid_token` (RFC 6750
/// §3.1).
package enum TokenError: String, Error, CaseIterable, Sendable {
    /// The token is not three parts of canonical base64url, is too long, or its header is not a JSON object with unique
    /// members.
    case malformed
    /// The header has a member that this server never writes: `crit`, `jwk`, `jku`, …
    case header
    /// `typ` or the `type` claim is that of another kind of token.
    case wrongType = "wrong_type"
    /// `alg` is not the algorithm of the key that `kid` names.
    case algorithm
    /// There is no key with that `kid`.
    case unknownKey = "unknown_key"
    /// The key was rotated out, and the last token that it signed has expired.
    case retiredKey = "retired_key"
    case signature
    /// The signature is valid, but a claim is missing or has another type.
    case claims
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    /// The token is bound to a key whose proof is missing, or was presented with the proof of another key.
    case binding
    case expired
    /// `iat` or `nbf` is in the future.
    case notYetValid = "not_yet_valid"
}
