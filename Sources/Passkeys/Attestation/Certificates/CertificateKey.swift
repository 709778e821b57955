internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import Kernel
internal import SwiftASN1
internal import X509

/// The public key of an attestation certificate.
struct CertificateKey {
    private let key: Certificate.PublicKey

    init(_ key: Certificate.PublicKey) { self.key = key }

    /// Checks that the key made `signature` over `message` by the algorithm of the statement.
    ///
    /// An algorithm accepts keys of its own curve alone, as for credentials (WebAuthn L3 §5.8.5).
    func check(_ signature: [UInt8], over message: [UInt8], _ algorithm: COSEAlgorithm) throws(AttestationError) {
        guard fits(algorithm) else { throw .algorithmMismatch }
        guard !isFactorable else { throw .certificateUnreadable }
        guard verifies(signature, over: message, by: algorithm) else { throw .signatureInvalid }
    }

    /// Checks a signature by RSASSA-PKCS1-v1_5 with SHA-1.
    func checkRS1(_ signature: [UInt8], over message: [UInt8]) throws(AttestationError) {
        guard rsa != nil else { throw .algorithmMismatch }
        guard !isFactorable else { throw .certificateUnreadable }
        guard key.isValidSignature(signature, for: message, signatureAlgorithm: .sha1WithRSAEncryption) else {
            throw .signatureInvalid
        }
    }

    /// Whether it is the credential's.
    func matches(_ credential: COSEKey) -> Bool {
        switch credential.material {
        case .p256(let other): P256.Signing.PublicKey(key)?.rawRepresentation == other.rawRepresentation
        case .p384(let other): P384.Signing.PublicKey(key)?.rawRepresentation == other.rawRepresentation
        case .p521(let other): P521.Signing.PublicKey(key)?.rawRepresentation == other.rawRepresentation
        case .ed25519(let other): Curve25519.Signing.PublicKey(key)?.rawRepresentation == other.rawRepresentation
        case .rsa(let other): rsa.map { Array($0.derRepresentation) } == other.subjectPublicKeyInfo
        // No certificate of the library has such a key.
        case .mlDSA65, .mlDSA87: false
        }
    }

    /// Whether it is on the curve that FIDO U2F has.
    var isP256: Bool { P256.Signing.PublicKey(key) != nil }

    private var rsa: _RSA.Signing.PublicKey? { _RSA.Signing.PublicKey(key) }

    /// Whether the key is an RSA key whose private key can be computed: anyone could have made the statement.
    private var isFactorable: Bool {
        guard let numbers = try? rsa?.getKeyPrimitives() else { return false }
        return ROCAFingerprint.isPresent(in: numbers.modulus)
    }

    private func fits(_ algorithm: COSEAlgorithm) -> Bool {
        switch algorithm {
        case .es256: isP256
        case .es384: P384.Signing.PublicKey(key) != nil
        case .es512: P521.Signing.PublicKey(key) != nil
        case .edDSA: Curve25519.Signing.PublicKey(key) != nil
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: rsa != nil
        // No certificate of the library has such a key.
        case .mlDSA65, .mlDSA87: false
        }
    }

    private func verifies(_ signature: [UInt8], over message: [UInt8], by algorithm: COSEAlgorithm) -> Bool {
        switch algorithm {
        case .es256: key.isValidSignature(signature, for: message, signatureAlgorithm: .ecdsaWithSHA256)
        case .es384: key.isValidSignature(signature, for: message, signatureAlgorithm: .ecdsaWithSHA384)
        case .es512: key.isValidSignature(signature, for: message, signatureAlgorithm: .ecdsaWithSHA512)
        case .edDSA: key.isValidSignature(signature, for: message, signatureAlgorithm: .ed25519)
        case .rs256: key.isValidSignature(signature, for: message, signatureAlgorithm: .sha256WithRSAEncryption)
        case .rs384: key.isValidSignature(signature, for: message, signatureAlgorithm: .sha384WithRSAEncryption)
        case .rs512: key.isValidSignature(signature, for: message, signatureAlgorithm: .sha512WithRSAEncryption)
        // The library knows no PSS signatures of certificates, so that the key itself is asked.
        case .ps256, .ps384, .ps512:
            rsa.flatMap { key in algorithm.rsa?.verifies(signature, by: key, over: message) } ?? false
        case .mlDSA65, .mlDSA87: false
        }
    }
}
