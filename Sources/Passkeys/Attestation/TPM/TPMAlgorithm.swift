internal import Crypto

/// The signature algorithm of a TPM's attestation key.
enum TPMAlgorithm: Equatable {
    /// An algorithm that credentials may use too.
    case cose(COSEAlgorithm)
    /// RSASSA-PKCS1-v1_5 with SHA-1 (RFC 8812 §2).
    case rs1

    init(_ number: Int64, _ signatures: TPMFormat.Signatures) throws(AttestationError) {
        if number == Self.rs1Number, signatures == .sha1 {
            self = .rs1
        } else if let algorithm = COSEAlgorithm(rawValue: number) {
            self = .cose(algorithm)
        } else {
            throw .algorithmUnsupported
        }
    }

    /// Returns the digest by the algorithm's hash; EdDSA and ML-DSA have no such hash and are refused.
    func digest(_ bytes: [UInt8]) throws(AttestationError) -> [UInt8] {
        switch self {
        case .rs1: Array(Insecure.SHA1.hash(data: bytes))
        case .cose(.es256), .cose(.rs256), .cose(.ps256): TPMHash.sha256.digest(bytes)
        case .cose(.es384), .cose(.rs384), .cose(.ps384): TPMHash.sha384.digest(bytes)
        case .cose(.es512), .cose(.rs512), .cose(.ps512): TPMHash.sha512.digest(bytes)
        case .cose(.edDSA), .cose(.mlDSA65), .cose(.mlDSA87): throw .algorithmUnsupported
        }
    }

    func check(_ signature: [UInt8], over message: [UInt8], by key: CertificateKey) throws(AttestationError) {
        switch self {
        case .cose(let algorithm): try key.check(signature, over: message, algorithm)
        case .rs1: try key.checkRS1(signature, over: message)
        }
    }

    private static let rs1Number: Int64 = -65_535
}
