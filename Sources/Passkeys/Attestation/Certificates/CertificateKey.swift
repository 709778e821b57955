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
    /// An ECDSA algorithm accepts only keys on its own curve, as for credentials (WebAuthn L3 §5.8.5).
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

    /// Whether this is the credential's key.
    func matches(_ credential: COSEKey) -> Bool {
        switch credential.material {
        case .p256(let other): P256.Signing.PublicKey(key)?.rawRepresentation == other.rawRepresentation
        case .p384(let other): P384.Signing.PublicKey(key)?.rawRepresentation == other.rawRepresentation
        case .p521(let other): P521.Signing.PublicKey(key)?.rawRepresentation == other.rawRepresentation
        case .ed25519(let other): Curve25519.Signing.PublicKey(key)?.rawRepresentation == other.rawRepresentation
        case .rsa(let other): rsa.map { Array($0.derRepresentation) } == other.subjectPublicKeyInfo
        // The X.509 library reads no certificate with such a key.
        case .mlDSA65, .mlDSA87: false
        }
    }

    /// Whether the key is on P-256, the curve of FIDO U2F.
    var isP256: Bool { P256.Signing.PublicKey(key) != nil }

    private var rsa: _RSA.Signing.PublicKey? { _RSA.Signing.PublicKey(key) }

    /// Whether this is an RSA key whose private key can be computed (ROCA), so that anyone could sign the statement.
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
        // The X.509 library reads no certificate with such a key.
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
        // The X.509 library does not verify PSS signatures, so the RSA key verifies them directly.
        case .ps256, .ps384, .ps512:
            rsa.flatMap { key in algorithm.rsa?.verifies(signature, by: key, over: message) } ?? false
        case .mlDSA65, .mlDSA87: false
        }
    }
}
