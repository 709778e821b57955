internal import Crypto
internal import CryptoExtras

/// The padding and the hash of an RSA signature (RFC 8017 §8).
struct RSAScheme: Sendable, Equatable {
    enum Padding: Sendable {
        /// RSASSA-PKCS1-v1_5 (RFC 8812 §2).
        case pkcs1
        /// RSASSA-PSS, with MGF1 of the same hash and a salt as long as the digest (RFC 8230 §2).
        case pss
    }

    enum Hash: Sendable {
        case sha256
        case sha384
        case sha512
    }

    let padding: Padding
    let hash: Hash

    init(_ padding: Padding, _ hash: Hash) {
        self.padding = padding
        self.hash = hash
    }

    /// Whether `key` made `signature` over `first` with `second` behind it.
    func verifies(
        _ signature: [UInt8],
        by key: _RSA.Signing.PublicKey,
        over first: [UInt8],
        _ second: [UInt8] = []
    ) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        let padding: _RSA.Signing.Padding = padding == .pss ? .PSS : .insecurePKCS1v1_5
        switch hash {
        case .sha256:
            return key.isValidSignature(signature, for: SHA256.digest(first, second), padding: padding)
        case .sha384:
            return key.isValidSignature(signature, for: SHA384.digest(first, second), padding: padding)
        case .sha512:
            return key.isValidSignature(signature, for: SHA512.digest(first, second), padding: padding)
        }
    }
}

extension HashFunction {
    /// Returns the digest of `first` with `second` behind it, without joining them in memory.
    static func digest(_ first: [UInt8], _ second: [UInt8]) -> Digest {
        var hasher = Self()
        hasher.update(data: first)
        hasher.update(data: second)
        return hasher.finalize()
    }
}
