internal import Crypto
internal import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The public half of a signing key: what the key set publishes and what a signature is checked with.
enum VerificationKey: Sendable {
    case es256(P256.Signing.PublicKey)
    case edDSA(Curve25519.Signing.PublicKey)

    var algorithm: SigningAlgorithm {
        switch self {
        case .es256: .es256
        case .edDSA: .edDSA
        }
    }

    /// Whether `signature` is this key's over `message`.
    ///
    /// ES256 takes the 64 bytes `r || s` of RFC 7518 §3.4 and nothing else: no DER, no other length. Zero or
    /// out-of-range numbers (CVE-2022-21449) are refused by the library, and a test here holds it to that.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        switch self {
        case .es256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: message)
        case .edDSA(let key):
            return key.isValidSignature(signature, for: message)
        }
    }

    /// The members that make the key, in lexicographic order: those that RFC 7638 §3.2 and RFC 8037 §2 require, and
    /// no others.
    var requiredMembers: [(name: String, value: String)] {
        switch self {
        case .es256(let key):
            let point = Array(key.rawRepresentation)
            return [
                ("crv", "P-256"), ("kty", "EC"),
                ("x", Base64URL.encode(point.prefix(32))), ("y", Base64URL.encode(point.suffix(32))),
            ]
        case .edDSA(let key):
            return [("crv", "Ed25519"), ("kty", "OKP"), ("x", Base64URL.encode(key.rawRepresentation))]
        }
    }

    /// The key's name (RFC 7638 §3; RFC 8037 §2 for Ed25519).
    var thumbprint: KeyID { KeyID(thumbprintOf: requiredMembers) }
}
