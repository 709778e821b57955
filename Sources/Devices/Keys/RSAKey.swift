import Crypto
import CryptoExtras
import FoundationEssentials
import Kernel

/// An RSA public key (RFC 8017 §3.1).
struct RSAKey: Sendable, Equatable {
    static let allowedBits = 2048...8192
    /// FIPS 186-5 §A.1.1 requires more than 2¹⁶, and the crypto library accepts none above 33 bits.
    private static let allowedExponents: ClosedRange<UInt64> = 65_537...(1 << 33) - 1

    /// Big-endian, without leading zeros.
    let modulus: [UInt8]
    let exponent: [UInt8]

    /// Reads RSAPublicKey in DER (RFC 8017 §A.1.1); `nil` for anything else, also with one more byte.
    init?(der bytes: some Sequence<UInt8>) {
        var outer = DERReader(bytes)
        guard let contents = outer.element(0x30), outer.isAtEnd else { return nil }
        var inner = DERReader(contents)
        guard let modulus = inner.positiveInteger(), let exponent = inner.positiveInteger(), inner.isAtEnd else {
            return nil
        }
        self.modulus = modulus
        self.exponent = exponent
    }

    var bits: Int { modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) }

    /// The reason not to trust the key's signatures; `nil` for a sound key.
    var weakness: DeviceKeyError? {
        guard Self.allowedBits.contains(bits) else { return .modulusSize(bits: bits) }
        guard let last = modulus.last, last & 1 == 1 else { return .modulusFactor }
        let exponent = self.exponent.count <= 8 ? self.exponent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : 0
        guard Self.allowedExponents.contains(exponent), exponent & 1 == 1 else { return .exponent }
        guard !Self.smallPrimes.contains(where: isDivisible) else { return .modulusFactor }
        guard !ROCAFingerprint.isPresent(in: modulus) else { return .modulusFingerprint }
        return publicKey == nil ? .unreadable : nil
    }

    /// Whether the signature is the key's, with SHA-256 (RFC 8017 §8).
    ///
    /// It may be by PKCS #1 v1.5, or by PSS with a salt as long as the digest.
    func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        guard signature.count == modulus.count, let key = publicKey else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        let digest = SHA256.hash(data: message)
        return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
            || key.isValidSignature(signature, for: digest, padding: .PSS)
    }

    private var publicKey: _RSA.Signing.PublicKey? { try? _RSA.Signing.PublicKey(n: modulus, e: exponent) }

    private func isDivisible(by prime: UInt32) -> Bool {
        modulus.reduce(UInt32(0)) { ($0 << 8 | UInt32($1)) % prime } == 0
    }

    /// The odd primes below 1000: a modulus that one of them divides is not the product of two large primes.
    private static let smallPrimes: [UInt32] = stride(from: 3, to: 1000, by: 2).filter { number in
        !stride(from: 3, to: 32, by: 2).contains { $0 < number && number % $0 == 0 }
    }
}
