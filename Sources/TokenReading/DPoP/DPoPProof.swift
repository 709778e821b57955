package import Kernel

/// A DPoP proof (RFC 9449 §4.2): a token that a client signs for one request, with a key of its own that the proof
/// contains.
///
/// An instance has a valid signature; ``check(_:at:)`` tells whether it fits its request.
package struct DPoPProof: Sendable {
    /// The thumbprint of the key that made it.
    package let key: KeyID
    /// The value by which a used proof is remembered: SHA-256 of the key's thumbprint and the `jti`.
    package let mark: Digest256
    private let method: String
    private let url: String
    private let issuedAt: Instant
    private let tokenHash: String?

    /// Bytes; one with P-256 has about 450.
    package static let maximumLength = 4096
    /// Characters of a `jti`; the 96 bits that RFC 9449 §4.2 asks for have 16.
    package static let longestID = 256
    /// The algorithms of proofs: none is symmetric, and none needs a key as long as RSA's in every request.
    package static let algorithms: [SigningAlgorithm] = [.es256, .edDSA]

    /// The proof of a header field, behind its own signature.
    package init(parsing text: String) throws(DPoPError) {
        guard
            let parts = CompactJWS(
                parsing: text,
                maximumLength: Self.maximumLength,
                maximumHeaderLength: Self.maximumLength
            ), parts.header["crit"] == nil, parts.header["zip"] == nil
        else { throw .malformed }
        guard case .string("dpop+jwt")? = parts.header["typ"] else { throw .type }
        guard case .string(let name)? = parts.header["alg"], let algorithm = SigningAlgorithm(rawValue: name),
            Self.algorithms.contains(algorithm)
        else { throw .algorithm }
        guard case .object(let jwk)? = parts.header["jwk"] else { throw .key }
        // RFC 9449 §4.3 step 7: a private key that was sent is compromised.
        guard Self.privateMembers.isDisjoint(with: jwk.keys) else { throw .privateKey }
        guard let key = VerificationKey(jwk: jwk, algorithm: algorithm) else { throw .key }
        guard key.isValid(parts.signature, for: parts.signingInput) else { throw .signature }
        self.key = key.thumbprint
        do throws(TokenError) {
            let claims = try parts.claims()
            let id = try claims.string("jti")
            guard id.utf8.count <= Self.longestID else { throw TokenError.claims }
            method = try claims.string("htm")
            url = try claims.string("htu")
            issuedAt = try claims.fractionalInstant("iat")
            tokenHash = try claims.optionalString("ath")
            mark = Self.mark(key.thumbprint, id)
        } catch {
            throw .claims
        }
    }

    /// Throws unless the proof is for that request, and was made about now.
    ///
    /// The caller remembers ``mark``, and refuses a proof that was used before.
    package func check(_ request: DPoPRequest, at now: Instant) throws(DPoPError) {
        guard method == request.method else { throw .method }
        guard let target = TargetURI(url), target == request.target else { throw .url }
        guard issuedAt >= now - DPoPRequest.maximumAge, issuedAt <= now + DPoPRequest.clockSkew else { throw .time }
        guard let token = request.accessToken else { return }
        guard let tokenHash, let hash = Base64URL.decode(tokenHash).flatMap({ Digest256($0) }),
            hash.matches(Self.hash(Array(token.utf8)))
        else { throw .tokenHash }
    }

    /// The private members of RFC 7518 §6.2.2, §6.3.2 and §6.4, and RFC 8037 §2.
    private static let privateMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    private static func mark(_ key: KeyID, _ id: String) -> Digest256 {
        hash(Array(key.text.utf8) + [UInt8(ascii: "\n")] + Array(id.utf8))
    }

    private static func hash(_ bytes: [UInt8]) -> Digest256 {
        Digest256(sha256: bytes)
    }
}

/// The request that a proof has to be for.
package struct DPoPRequest: Sendable {
    /// How long a proof is good, and how far ahead its maker's clock may be: phones are off by a minute.
    package static let maximumAge = Duration.seconds(120)
    package static let clockSkew = Duration.seconds(120)
    /// For how long a proof has to be remembered.
    package static let memory = maximumAge + clockSkew + .seconds(1)

    let method: String
    let target: TargetURI
    let accessToken: String?

    /// - Parameters:
    ///   - method: The method of the request, unchanged.
    ///   - target: The URL of the request, as the client writes it.
    ///   - accessToken: The token presented with the proof; `nil` for none.
    package init(method: String, target: TargetURI, accessToken: String?) {
        self.method = method
        self.target = target
        self.accessToken = accessToken
    }
}
