internal import TokenReading

/// Why ``AccessTokenVerifier`` did not accept a token.
///
/// For logs and for one branch: a token that ``isRefused`` is answered 401 `invalid_token` (RFC 6750 §3.1), anything else
/// 503. A caller need not be told more.
public struct AccessTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the reason.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Not three parts of canonical base64url, too long, or a header that is no JSON object with unique members.
        case malformed
        /// A header member that no token of Vestibule has: `crit`, `jwk`, `jku`, …
        case header
        /// Another kind of token: a refresh token, an approval, an ID token.
        case wrongType = "wrong_type"
        /// Not the algorithm of the key that `kid` names.
        case algorithm
        /// No key of that `kid` is published.
        case unknownKey = "unknown_key"
        /// Not signed with that key.
        case signature
        /// Rightly signed, but a claim is missing or has another type.
        case claims
        /// Of another issuer.
        case wrongIssuer = "wrong_issuer"
        /// For somebody else.
        case wrongAudience = "wrong_audience"
        /// It is bound to a key of its client (RFC 9449 §6), and this verifier takes bearer tokens.
        case binding
        /// It is limited to scopes (RFC 8693 §4.2), and this verifier asks for others, or takes no limited tokens.
        case scope
        /// Its time is over.
        case expired
        /// `iat` or `nbf` lies in the future.
        case notYetValid = "not_yet_valid"
        /// The issuer's keys could not be fetched, and none that may still be used are there.
        case keysUnavailable = "keys_unavailable"
    }

    /// The reason.
    public let code: Code

    /// Whether the token is at fault; otherwise nothing is known of it, and another try may go well.
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
