package import Kernel

/// A DPoP proof (RFC 9449 §4.2): a token that a client signs for one request with its own key, which the proof
/// contains.
///
/// An instance has a valid signature. ``check(_:at:)`` checks that it was made for its request.
package struct DPoPProof: Sendable {
    /// The thumbprint of the key that signed the proof.
    package let key: KeyID
    /// The value by which a used proof is recognised: SHA-256 of the key's thumbprint and the `jti`.
    package let mark: Digest256
    /// The first instant at which the proof is too old for every request, by this server's clock.
    package var expiresAt: Instant { issuedAt + DPoPRequest.maximumAge + .milliseconds(1) }
    private let method: String
    private let url: String
    private let issuedAt: Instant
    private let tokenHash: String?

    /// The most bytes of a proof.
    ///
    /// A proof with P-256 has about 450.
    package static let maximumLength = 4096
    /// The most characters of a `jti`.
    ///
    /// The 96 bits of RFC 9449 §4.2 have 16 in base64url.
    package static let longestID = 256
    /// The algorithms of proofs.
    ///
    /// Symmetric ones are excluded, and so is RSA, whose long key would be in every request.
    package static let algorithms: [SigningAlgorithm] = [.es256, .edDSA]

    /// Parses the proof in a header field and verifies its signature.
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

    /// Checks that the proof was made for that request, about now.
    ///
    /// The caller stores ``mark`` and refuses a proof that was used before.
    package func check(_ request: DPoPRequest, at now: Instant) throws(DPoPError) {
        guard method == request.method else { throw .method }
        guard let target = TargetURI(url), target == request.target else { throw .url }
        guard issuedAt >= now - DPoPRequest.maximumAge, issuedAt <= now + DPoPRequest.clockSkew else { throw .time }
        guard let token = request.accessToken else { return }
        guard let tokenHash, let hash = Base64URL.decode(tokenHash).flatMap({ Digest256($0) }),
            hash.matches(Self.hash(Array(token.utf8)))
        else { throw .tokenHash }
    }

    /// The private members of keys: RFC 7518 §6.2.2, §6.3.2 and §6.4, and RFC 8037 §2.
    private static let privateMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    private static func mark(_ key: KeyID, _ id: String) -> Digest256 {
        hash(Array(key.text.utf8) + [UInt8(ascii: "\n")] + Array(id.utf8))
    }

    private static func hash(_ bytes: [UInt8]) -> Digest256 {
        Digest256(sha256: bytes)
    }
}

/// The request that a proof must be made for.
package struct DPoPRequest: Sendable {
    /// The longest time for which a proof is valid.
    ///
    /// Clocks of phones may be a minute off.
    package static let maximumAge = Duration.seconds(120)
    package static let clockSkew = Duration.seconds(120)
    /// The time for which a used proof must be remembered.
    package static let memory = maximumAge + clockSkew + .seconds(1)

    let method: String
    let target: TargetURI
    let accessToken: String?

    /// - Parameters:
    ///   - method: The HTTP method of the request, unchanged.
    ///   - target: The URL of the request, as the client sees it.
    ///   - accessToken: The access token in the request; `nil` if there is none.
    package init(method: String, target: TargetURI, accessToken: String?) {
        self.method = method
        self.target = target
        self.accessToken = accessToken
    }
}
