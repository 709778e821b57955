import Crypto
import Kernel

/// The public key of a device, whose private key never leaves it: ECDSA on P-256, or RSA of 2048 to 8192 bits.
package struct DeviceKey: Sendable, Equatable {
    /// The stored form, base64url: the uncompressed point of a P-256 key (SEC 1 §2.3.3), or an RSA key's
    /// SubjectPublicKeyInfo (RFC 8017 §A.1.1).
    package let text: String

    /// Reads a stored key; `nil` if the text is not a key.
    package init?(text: String) {
        guard let bytes = Base64URL.decode(text), Self.point(bytes) != nil || Self.rsa(bytes) != nil else { return nil }
        self.text = text
    }

    /// Reads SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) in DER, and checks the key for weaknesses.
    package init(spki bytes: [UInt8]) throws(DeviceKeyError) {
        guard let (algorithm, key) = Self.parts(bytes) else { throw .unreadable }
        switch algorithm {
        case Self.ecOnP256:
            guard Self.point(key) != nil else { throw .notOnCurve }
            text = Base64URL.encode(key)
        case Self.rsaEncryption:
            guard let rsa = RSAKey(der: key) else { throw .unreadable }
            if let weakness = rsa.weakness { throw weakness }
            text = Base64URL.encode(bytes)
        default: throw .unknownAlgorithm
        }
    }

    /// The name of the key: SHA-256 of its text, base64url.
    package var thumbprint: String { Base64URL.encode(SHA256.hash(data: Array(text.utf8))) }

    /// Whether the signature over the message is the key's, with SHA-256.
    ///
    /// An ECDSA signature (FIPS 186-5 §6) is in DER or has both numbers in 64 bytes. An RSA signature (RFC 8017 §8) is
    /// by PKCS #1 v1.5 or PSS.
    func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        guard let bytes = Base64URL.decode(text) else { return false }
        guard let key = Self.point(bytes) else {
            return Self.rsa(bytes)?.verifies(signature, over: message) ?? false
        }
        let parsed =
            signature.count == 64
            ? try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            : try? P256.Signing.ECDSASignature(derRepresentation: signature)
        return parsed.map { key.isValidSignature($0, for: message) } ?? false
    }

    /// The longest signature of any accepted key: RSA of 8192 bits.
    package static let longestSignature = RSAKey.allowedBits.upperBound / 8

    /// `id-ecPublicKey` with `secp256r1` (RFC 5480 §2.1.1).
    private static let ecOnP256: [UInt8] = [
        0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01,
        0x07,
    ]
    /// `rsaEncryption` with NULL (RFC 3279 §2.3.1).
    private static let rsaEncryption: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    /// Splits a SubjectPublicKeyInfo into its algorithm and its key.
    private static func parts(_ bytes: [UInt8]) -> (algorithm: [UInt8], key: [UInt8])? {
        var outer = DERReader(bytes)
        guard let contents = outer.element(0x30), outer.isAtEnd else { return nil }
        var inner = DERReader(contents)
        guard let algorithm = inner.element(0x30), let key = inner.element(0x03), inner.isAtEnd, key.first == 0 else {
            return nil
        }
        return (Array(algorithm), Array(key.dropFirst()))
    }

    private static func point(_ bytes: [UInt8]) -> P256.Signing.PublicKey? {
        bytes.count == 65 ? try? P256.Signing.PublicKey(x963Representation: bytes) : nil
    }

    private static func rsa(_ bytes: [UInt8]) -> RSAKey? {
        guard let (algorithm, key) = parts(bytes), algorithm == rsaEncryption else { return nil }
        return RSAKey(der: key)
    }
}

/// The reason for refusing a public key.
package enum DeviceKeyError: Error, Sendable, Equatable {
    /// The bytes are not a SubjectPublicKeyInfo in DER, or more bytes follow it.
    case unreadable
    /// The key is neither P-256 nor RSA: a different curve, explicit parameters, Ed25519.
    case unknownAlgorithm
    case notOnCurve
    case modulusSize(bits: Int)
    /// The modulus is even, or divisible by a different small prime.
    case modulusFactor
    /// The modulus comes from faulty key generation, so that the private key can be computed (``ROCAFingerprint``).
    case modulusFingerprint
    case exponent
}
