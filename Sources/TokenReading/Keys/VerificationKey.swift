package import Crypto
package import CryptoExtras
internal import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The public half of a signing key.
///
/// It is published in the key set and verifies signatures.
package enum VerificationKey: Sendable {
    case es256(P256.Signing.PublicKey)
    case edDSA(Curve25519.Signing.PublicKey)
    case rs256(RSAVerificationKey)

    package var algorithm: SigningAlgorithm {
        switch self {
        case .es256: .es256
        case .edDSA: .edDSA
        case .rs256: .rs256
        }
    }

    /// Whether `signature` is a signature of `message` by this key.
    ///
    /// Signatures have a fixed length: 64 bytes, or with RSA the length of the modulus. ES256 accepts only `r || s` of
    /// RFC 7518 §3.4, and no DER. The library refuses zero or out-of-range numbers (CVE-2022-21449), and a test checks
    /// that it does.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch self {
        case .es256(let key):
            guard signature.count == 64,
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: message)
        case .edDSA(let key):
            return signature.count == 64 && key.isValidSignature(signature, for: message)
        case .rs256(let key):
            return key.isValid(signature, for: message)
        }
    }

    /// The members that make up the key, in lexicographic order: only those that RFC 7638 §3.2 and RFC 8037 §2 require.
    package var requiredMembers: [(name: String, value: String)] {
        switch self {
        case .es256(let key):
            let point = Array(key.rawRepresentation)
            return [
                ("crv", "P-256"), ("kty", "EC"),
                ("x", Base64URL.encode(point.prefix(32))), ("y", Base64URL.encode(point.suffix(32))),
            ]
        case .edDSA(let key):
            return [("crv", "Ed25519"), ("kty", "OKP"), ("x", Base64URL.encode(key.rawRepresentation))]
        case .rs256(let key):
            return [("e", Base64URL.encode(key.exponent)), ("kty", "RSA"), ("n", Base64URL.encode(key.modulus))]
        }
    }

    /// The key's id (RFC 7638 §3; RFC 8037 §2 for Ed25519).
    package var thumbprint: KeyID { KeyID(thumbprintOf: requiredMembers) }
}

/// An RSA public key with its modulus and exponent, which the library returns only by a call that may fail.
package struct RSAVerificationKey: Sendable {
    /// The fewest bits of an accepted key (RFC 7518 §3.3).
    package static let minimumBits = 2048
    /// The most bits of an accepted key.
    ///
    /// Verifying a signature with a longer key would take too long.
    package static let maximumBits = 4096

    /// The modulus, big-endian and without leading zeros (RFC 7518 §6.3.1).
    package let modulus: [UInt8]
    package let exponent: [UInt8]
    private let key: _RSA.Signing.PublicKey

    /// Returns `nil` for a key with too few or too many bits, or with an exponent other than 65537.
    ///
    /// It also refuses a key whose private half can be computed (CVE-2017-15361).
    package init?(_ key: _RSA.Signing.PublicKey) {
        guard (Self.minimumBits...Self.maximumBits).contains(key.keySizeInBits),
            let numbers = try? key.getKeyPrimitives()
        else { return nil }
        modulus = Array(numbers.modulus.drop { $0 == 0 })
        exponent = Array(numbers.publicExponent.drop { $0 == 0 })
        guard exponent == Self.usualExponent, !ROCAFingerprint.isPresent(in: modulus) else { return nil }
        self.key = key
    }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == modulus.count else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return key.isValidSignature(signature, for: message, padding: .insecurePKCS1v1_5)
    }

    /// Whether `signature` is a signature of `message` by RSASSA-PSS with SHA-256 and a salt of the hash's length
    /// (PS256, RFC 7518 §3.5).
    package func isValidPSS(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == modulus.count else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return key.isValidSignature(signature, for: message, padding: .PSS)
    }

    private static let usualExponent: [UInt8] = [1, 0, 1]
}
