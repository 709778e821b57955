internal import Kernel

/// A compact token taken apart (RFC 7515 §5.2 steps 1 to 6), nothing in it believed yet.
package struct UnverifiedToken: Sendable {
    package let algorithm: String
    package let kid: String
    package let type: String
    /// Header and payload with their dot: what the signature is over.
    package let signingInput: [UInt8]
    package let signature: [UInt8]
    private let payloadPart: Substring

    /// Bytes; our own are at most 2048, and an approval's 4096.
    package static let maximumLength = 8 * 1024
    /// Bytes of the decoded header; our own have about 90.
    package static let maximumHeaderLength = 512

    package init(parsing token: String) throws(TokenRefusal) {
        guard token.utf8.count <= Self.maximumLength else { throw .malformed }
        let parts = token.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty,
            let header = Base64URL.decode(parts[0]), header.count <= Self.maximumHeaderLength,
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed }
        guard case .object(let members)? = try? JSONReader.read(header, maximumDepth: ClaimReader.maximumDepth) else {
            throw .malformed
        }
        // `crit` has to be refused as we understand no extension (RFC 7515 §4.1.11). An unknown member could be
        // ignored, but only tokens that we wrote are read here: what we never write is a forgery or a mix-up.
        guard members.keys.allSatisfy(Self.knownMembers.contains) else { throw .header }
        guard case .string(let algorithm)? = members["alg"], case .string(let kid)? = members["kid"],
            case .string(let type)? = members["typ"]
        else { throw .header }
        self.algorithm = algorithm
        self.kid = kid
        self.type = type
        self.signature = signature
        signingInput = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
        payloadPart = parts[1]
    }

    /// The claims, behind the key's signature by the key's algorithm.
    package func claims(signedBy key: VerificationKey) throws(TokenRefusal) -> ClaimReader {
        guard algorithm == key.algorithm.rawValue else { throw .algorithm }
        guard key.isValid(signature, for: signingInput) else { throw .signature }
        return try claims()
    }

    /// The claims, only to be asked for once the signature has been verified.
    package func claims() throws(TokenRefusal) -> ClaimReader {
        guard let payload = Base64URL.decode(payloadPart) else { throw .malformed }
        return try ClaimReader(payload)
    }

    private static let knownMembers: Set<String> = ["alg", "kid", "typ"]
}
