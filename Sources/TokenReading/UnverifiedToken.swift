internal import Kernel

/// A token taken apart, with nothing verified yet.
package struct UnverifiedToken: Sendable {
    package let algorithm: String
    package let kid: String
    package let type: String
    private let parts: CompactJWS

    /// Header and payload with their dot: what the signature is over.
    package var signingInput: [UInt8] { parts.signingInput }
    package var signature: [UInt8] { parts.signature }

    /// Bytes; our own are at most 2048, and an approval's 4096.
    package static let maximumLength = 8 * 1024
    /// Bytes of the decoded header; our own have about 90.
    package static let maximumHeaderLength = 512

    package init(parsing token: String) throws(TokenError) {
        guard
            let parts = CompactJWS(
                parsing: token,
                maximumLength: Self.maximumLength,
                maximumHeaderLength: Self.maximumHeaderLength
            )
        else { throw .malformed }
        // `crit` has to be refused as we understand no extension (RFC 7515 §4.1.11). An unknown member could be
        // ignored, but only tokens that we wrote are read here: what we never write is a forgery or a mix-up.
        guard parts.header.keys.allSatisfy(Self.knownMembers.contains) else { throw .header }
        guard case .string(let algorithm)? = parts.header["alg"], case .string(let kid)? = parts.header["kid"],
            case .string(let type)? = parts.header["typ"]
        else { throw .header }
        self.algorithm = algorithm
        self.kid = kid
        self.type = type
        self.parts = parts
    }

    /// Returns the claims, behind the key's signature by the key's algorithm.
    package func claims(signedBy key: VerificationKey) throws(TokenError) -> ClaimReader {
        guard algorithm == key.algorithm.rawValue else { throw .algorithm }
        guard key.isValid(signature, for: signingInput) else { throw .signature }
        return try claims()
    }

    /// Returns the claims, only to be asked for once the signature has been verified.
    package func claims() throws(TokenError) -> ClaimReader { try parts.claims() }

    private static let knownMembers: Set<String> = ["alg", "kid", "typ"]
}
