internal import Kernel
package import TokenReading

/// The state of a key ring at one moment.
///
/// A snapshot never changes, so that a request that holds one needs no lock. The header of its tokens and its key set
/// are written once.
package final class KeyRingSnapshot: Sendable {
    /// The key set document of this ring in UTF-8 JSON: the active key, the next key, and the keys whose tokens may
    /// still be valid.
    package let jwks: [UInt8]
    /// The keys for the operator: the active one, the next one, then the retiring and the retired ones, the latest
    /// first.
    package let keys: [KeySummary]

    let current: SigningKey
    let headers: Headers
    let ring: Ring
    private let verifying: [String: Verifying]

    /// The first part of every token that the current key signs, with the dot after it, for each kind of token.
    struct Headers {
        let access: [UInt8]
        let approval: [UInt8]
        let receipt: [UInt8]
        let identity: [UInt8]
        let logout: [UInt8]
    }

    private enum Verifying {
        case key(VerificationKey, until: Instant?)
        case retired
    }

    /// Returns `nil` unless exactly one key is active.
    ///
    /// `acceptsNext`: whether the next key may have signed already, at another daemon that has made it active a moment
    /// ago.
    init?(_ ring: Ring, acceptsNext: Bool) {
        guard let signing = ring.keys.first, case .active(let key, _, _) = signing.state else { return nil }
        current = key
        let header = { (type: String) in
            TokenHeader.part(algorithm: signing.algorithm.rawValue, kid: signing.id.text, type: type)
        }
        headers = Headers(
            access: header(TokenType.access),
            approval: header(TokenType.approval),
            receipt: header(TokenType.receipt),
            identity: header(TokenType.identity),
            logout: header(TokenType.logout)
        )
        self.ring = ring
        keys = ring.keys.map(\.summary)
        jwks = JSONWebKeySet.encode(ring.keys)
        var verifying: [String: Verifying] = [:]
        for key in ring.keys {
            switch key.state {
            // Without other daemons the next key has signed nothing yet, so a token that names it is forged.
            case .next(let signing):
                if acceptsNext { verifying[key.id.text] = .key(signing.verificationKey, until: nil) }
            case .active(let signing, _, _): verifying[key.id.text] = .key(signing.verificationKey, until: nil)
            case .retiring(let signing, _, let until):
                verifying[key.id.text] = .key(signing.verificationKey, until: until)
            case .retired: verifying[key.id.text] = .retired
            }
        }
        self.verifying = verifying
    }

    /// The algorithms of the active key and of the next key, in the order of their use, each once.
    package var algorithms: [SigningAlgorithm] {
        ring.keys.compactMap { key in
            switch key.state {
            case .active(let signing, _, _), .next(let signing): signing.verificationKey.algorithm
            case .retiring, .retired: nil
            }
        }.reduce(into: []) { found, one in if !found.contains(one) { found.append(one) } }
    }

    /// Whether `kid` names a key that has signed, even a retired one.
    func knows(_ kid: String) -> Bool { verifying[kid] != nil }

    /// Returns the key that `kid` names, if tokens that it signed are still accepted at `now`.
    func verificationKey(_ kid: String, now: Instant) throws(TokenError) -> VerificationKey {
        switch verifying[kid] {
        case nil: throw .unknownKey
        case .retired: throw .retiredKey
        case .key(let key, let until):
            if let until, now >= until { throw .retiredKey }
            return key
        }
    }
}
