internal import Kernel
package import TokenReading

/// A token that a client signed with its own key: an assertion (RFC 7523) or a request object (RFC 9101).
///
/// The token is parsed before it is verified, because its claims name the client. Nothing in it is trusted before
/// ``claims(signedBy:)``.
package struct ClientToken: Sendable {
    /// The most bytes of an assertion.
    ///
    /// With a 4096-bit RSA key it has about 1200.
    package static let maximumLength = 8192
    /// The most bytes of a `kid`.
    static let longestKeyName = 256

    private let parts: CompactJWS
    private let algorithm: ClientAlgorithm
    private let keyName: String?
    private let content: ClaimReader

    /// - Parameters:
    ///   - text: The compact form.
    ///   - maximumLength: The most bytes of the text.
    ///   - types: The accepted values of `typ`, in lower case and without `application/`; a missing `typ` counts as
    ///     `jwt`. The check prevents confusion between kinds of tokens (RFC 8725 §3.11).
    /// - Throws: ``TokenError`` `malformed`, `header`, `wrongType`, `algorithm` or `claims`.
    package init(
        parsing text: String,
        maximumLength: Int = ClientToken.maximumLength,
        types: Set<String>
    ) throws(TokenError) {
        guard
            let parts = CompactJWS(
                parsing: text,
                maximumLength: maximumLength,
                maximumHeaderLength: Self.maximumHeaderLength
            )
        else { throw .malformed }
        // No critical extension is supported (RFC 7515 §4.1.11). `zip` belongs to encryption (RFC 7516 §4.1.3), so that
        // it has no meaning in a signed token.
        guard parts.header["crit"] == nil, parts.header["zip"] == nil else { throw .header }
        guard try Self.type(of: parts).map(types.contains) ?? false else { throw .wrongType }
        guard case .string(let name)? = parts.header["alg"], let algorithm = ClientAlgorithm(rawValue: name) else {
            throw .algorithm
        }
        switch parts.header["kid"] {
        case nil: keyName = nil
        case .string(let name)? where name.utf8.count <= Self.longestKeyName: keyName = name
        case .null?, .bool?, .number?, .string?, .array?, .object?: throw .header
        }
        self.parts = parts
        self.algorithm = algorithm
        content = try parts.claims()
    }

    /// Returns an unverified claim.
    ///
    /// Use it only to find the keys that must verify the token.
    package func unverified(_ claim: String) -> String? { try? content.string(claim) }

    /// Verifies the signature with the keys and returns the claims.
    /// - Throws: ``TokenError`` `unknownKey`, `algorithm` or `signature`.
    package func claims(signedBy keys: ClientKeySet) throws(TokenError) -> ClaimReader {
        try keys.verify(parts.signature, over: parts.signingInput, by: algorithm, name: keyName)
        return content
    }

    private static let maximumHeaderLength = 1024
    private static let prefix = "application/"

    /// Returns `typ` in lower case.
    ///
    /// Media types are compared without regard to case (RFC 2045 §5.1, RFC 7515 §4.1.9).
    private static func type(of parts: CompactJWS) throws(TokenError) -> String? {
        switch parts.header["typ"] {
        case nil: return "jwt"
        case .string(let text)?:
            let type = text.lowercased()
            return type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
        case .null?, .bool?, .number?, .array?, .object?: throw .header
        }
    }
}
