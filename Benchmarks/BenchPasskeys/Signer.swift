import Crypto
import CryptoExtras
import Foundation
import Passkeys

/// A key pair that signs as an authenticator does.
struct Signer: Sendable {
    let algorithm: COSEAlgorithm
    /// The public key as COSE has it, and as a passkey's row.
    let coseKey: [UInt8]
    /// Verifies a signature with the public key alone, which it reads each time, as the signature.
    let verifies: @Sendable (_ signature: [UInt8], _ signed: [UInt8]) throws -> Bool
    let sign: @Sendable ([UInt8]) throws -> [UInt8]

    /// P-256, with signatures in DER.
    static func es256() -> Signer {
        let key = P256.Signing.PrivateKey()
        let point = Array(key.publicKey.x963Representation)
        return Signer(
            algorithm: .es256,
            coseKey: [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point[1..<33]
                + [0x22, 0x58, 0x20] + point[33...],
            verifies: { signature, signed in
                let key = try P256.Signing.PublicKey(x963Representation: point)
                let signature = try P256.Signing.ECDSASignature(derRepresentation: signature)
                return key.isValidSignature(signature, for: signed)
            },
            sign: { Array(try key.signature(for: $0).derRepresentation) }
        )
    }

    static func ed25519() -> Signer {
        let key = Curve25519.Signing.PrivateKey()
        let point = Array(key.publicKey.rawRepresentation)
        return Signer(
            algorithm: .edDSA,
            coseKey: [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + point,
            verifies: { signature, signed in
                try Curve25519.Signing.PublicKey(rawRepresentation: point).isValidSignature(signature, for: signed)
            },
            sign: { Array(try key.signature(for: $0)) }
        )
    }

    /// RSASSA-PKCS1-v1_5 of 2048 bits, as Windows Hello has it.
    static func rs256() throws -> Signer {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try key.publicKey.getKeyPrimitives()
        let (modulus, exponent) = (Array(numbers.modulus), Array(numbers.publicExponent))
        return Signer(
            algorithm: .rs256,
            coseKey: [0xA4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59, 0x01, 0x00] + modulus
                + [0x21, 0x43] + exponent,
            verifies: { signature, signed in
                let key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
                let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
                let digest = SHA256.hash(data: signed)
                return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
            },
            sign: { signed in
                let digest = SHA256.hash(data: signed)
                return Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
            }
        )
    }
}
