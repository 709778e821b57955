/// The reason why a DPoP proof is refused (RFC 9449 §4.3).
///
/// The client made the proof itself and gets the reason: it learns nothing that it did not write.
package enum DPoPError: String, Error, CaseIterable, Sendable {
    /// The required proof is missing.
    case missing
    /// The header is too long, has `crit`, or is not a JSON object with unique members. Or it is not one field with
    /// three parts of canonical base64url.
    case malformed
    /// `typ` is not `dpop+jwt`.
    case type
    /// `alg` is not one of the accepted algorithms, all of them asymmetric.
    case algorithm
    /// `jwk` is not a public key of that algorithm.
    case key
    /// `jwk` holds private or symmetric members.
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
    /// `ath` is not the hash of the access token beside it.
    case tokenHash = "token_hash"
    /// The access token is bound to another key.
    case otherKey = "other_key"
    /// The proof was used before.
    case replayed
}
