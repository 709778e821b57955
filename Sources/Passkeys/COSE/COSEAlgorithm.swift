/// The signature algorithms that are verified, by their numbers in the IANA registry of COSE.
///
/// Sources: RFC 9053 §2, RFC 8230 §2, RFC 8812 §2, RFC 9964 §2.
package enum COSEAlgorithm: Int64, Sendable, Hashable, CaseIterable {
    case es256 = -7
    case edDSA = -8
    case es384 = -35
    case es512 = -36
    case ps256 = -37
    case ps384 = -38
    case ps512 = -39
    case mlDSA65 = -49
    case mlDSA87 = -50
    case rs256 = -257
    case rs384 = -258
    case rs512 = -259

    /// The algorithms in the options if the request lists none, the preferred one first.
    ///
    /// Every authenticator on sale supports one of these three. An authenticator takes the first that it supports, so a
    /// longer list would only add kinds of keys that are seldom tested. ML-DSA is left out until authenticators and
    /// browsers ship it. Its keys and signatures are fifty times as long, and no attestation vouches for them yet.
    package static let offered: [COSEAlgorithm] = [.edDSA, .es256, .rs256]

    /// The padding and the hash of an RSA algorithm; `nil` for other algorithms.
    var rsa: RSAScheme? {
        switch self {
        case .rs256: RSAScheme(.pkcs1, .sha256)
        case .rs384: RSAScheme(.pkcs1, .sha384)
        case .rs512: RSAScheme(.pkcs1, .sha512)
        case .ps256: RSAScheme(.pss, .sha256)
        case .ps384: RSAScheme(.pss, .sha384)
        case .ps512: RSAScheme(.pss, .sha512)
        case .es256, .es384, .es512, .edDSA, .mlDSA65, .mlDSA87: nil
        }
    }
}
