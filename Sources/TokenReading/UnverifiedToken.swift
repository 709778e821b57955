internal import Kernel

/// A token split into its parts.
///
/// Nothing in it is verified.
package struct UnverifiedToken: Sendable {
    package let algorithm: String
    package let kid: String
    package let type: String
    private let parts: CompactJWS

    /// Header and payload with the dot between them: the bytes that are signed.
    package var signingInput: [UInt8] { parts.signingInput }
    package var signature: [UInt8] { parts.signature }

    /// The most bytes of a token.
    ///
    /// This server's tokens have at most 2048, and approval tokens 4096.
    package static let maximumLength = 8 * 1024
    /// The most bytes of the decoded header.
    ///
    /// This server's headers have about 90.
    package static let maximumHeaderLength = 512

    package init(parsing token: String) throws(TokenError) {
        guard
            let parts = CompactJWS(
                parsing: token,
                maximumLength: Self.maximumLength,
                maximumHeaderLength: Self.maximumHeaderLength
            )
        else { throw .malformed }
        // `crit` must be refused, because no extension is supported (RFC 7515 §4.1.11). Other unknown members are
        // refused too: this server never writes them, so that the token is forged or of another issuer.
        guard parts.header.keys.allSatisfy(Self.knownMembers.contains) else { throw .header }
        guard case .string(let algorithm)? = parts.header["alg"], case .string(let kid)? = parts.header["kid"],
            case .string(let type)? = parts.header["typ"]
        else { throw .header }
        self.algorithm = algorithm
        self.kid = kid
        self.type = type
        self.parts = parts
    }

    /// Returns the claims after verifying the signature with the key and the key's algorithm.
    package func claims(signedBy key: VerificationKey) throws(TokenError) -> ClaimReader {
        guard algorithm == key.algorithm.rawValue else { throw .algorithm }
        guard key.isValid(signature, for: signingInput) else { throw .signature }
        return try claims()
    }

    /// Returns the claims.
    ///
    /// Call this only after verifying the signature.
    package func claims() throws(TokenError) -> ClaimReader { try parts.claims() }

    private static let knownMembers: Set<String> = ["alg", "kid", "typ"]
}
