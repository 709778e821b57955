/// The reason why a DPoP proof is refused (RFC 9449 §4.3).
///
/// The client is told the reason. It made the proof itself, so that it learns nothing new.
package enum DPoPError: String, Error, CaseIterable, Sendable {
    /// The required proof is missing.
    case missing
    /// The proof is not one header field with three parts of canonical base64url. Or its header is too long, has `crit`
    /// or `zip`, or is not a JSON object with unique members.
    case malformed
    /// `typ` is not `dpop+jwt`.
    case type
    /// `alg` is not one of the accepted algorithms, all of which are asymmetric.
    case algorithm
    /// `jwk` is not a public key of that algorithm.
    case key
    /// `jwk` has private or symmetric members.
    case privateKey = "private_key"
    /// The proof is not signed with that key.
    case signature
    /// `jti`, `htm`, `htu` or `iat` is missing, or a claim has another type or length.
    case claims
    /// `htm` is not the request's method.
    case method
    /// `htu` is not the request's URL.
    case url
    /// `iat` is too far in the past or the future.
    case time
    /// `ath` is not the hash of the access token in the request.
    case tokenHash = "token_hash"
    /// The access token is bound to another key.
    case otherKey = "other_key"
    /// The proof was used before.
    case replayed
}
