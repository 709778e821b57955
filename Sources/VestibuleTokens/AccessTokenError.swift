internal import TokenReading

/// The reason for which ``AccessTokenVerifier`` refused a token.
///
/// It is for logs and for one decision: if ``isRefused``, answer 401 `invalid_token` (RFC 6750 §3.1), otherwise 503.
/// Callers of your API need no more details.
public struct AccessTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the reason.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text is too long, is not three parts of canonical base64url, or its header is not a JSON object with
        /// unique members.
        case malformed
        /// The header has a member that no token of Vestibule has: `crit`, `jwk`, `jku`, …
        case header
        /// The text is a different kind of token: a refresh token, an approval, an ID token.
        case wrongType = "wrong_type"
        /// The algorithm is not that of the key that `kid` names.
        case algorithm
        /// No key of that `kid` is published.
        case unknownKey = "unknown_key"
        /// The signature is not one of the key that `kid` names.
        case signature
        /// The signature is valid, but a claim is missing or has a different type.
        case claims
        /// The token is from a different issuer.
        case wrongIssuer = "wrong_issuer"
        /// The token is for a different audience.
        case wrongAudience = "wrong_audience"
        /// The token is bound to a key of its client (RFC 9449 §6), but this verifier accepts only bearer tokens.
        case binding
        /// The token is limited to scopes (RFC 8693 §4.2), but lacks one that this verifier requires, or this verifier
        /// refuses limited tokens.
        case scope
        /// The token has expired.
        case expired
        /// `iat` or `nbf` lies in the future.
        case notYetValid = "not_yet_valid"
        /// The issuer's keys could not be fetched, and there are no earlier keys that may still be used.
        case keysUnavailable = "keys_unavailable"
    }

    /// The reason.
    public let code: Code

    /// Whether the token is invalid.
    ///
    /// Otherwise its validity is unknown, and a later attempt may succeed.
    public var isRefused: Bool { code != .keysUnavailable }

    /// The code.
    public var description: String { code.rawValue }

    init(_ code: Code) { self.code = code }
}

extension AccessTokenError {
    init(refusal: TokenError) {
        switch refusal {
        case .malformed: self.init(.malformed)
        case .header: self.init(.header)
        case .wrongType: self.init(.wrongType)
        case .algorithm: self.init(.algorithm)
        case .unknownKey, .retiredKey: self.init(.unknownKey)
        case .signature: self.init(.signature)
        case .claims: self.init(.claims)
        case .wrongIssuer: self.init(.wrongIssuer)
        case .wrongAudience: self.init(.wrongAudience)
        case .binding: self.init(.binding)
        case .expired: self.init(.expired)
        case .notYetValid: self.init(.notYetValid)
        }
    }
}
