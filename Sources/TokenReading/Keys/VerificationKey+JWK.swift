internal import Crypto
internal import CryptoExtras
package import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension VerificationKey {
    /// Reads the public key in a JSON Web Key for that algorithm (RFC 7517, RFC 7518 §6, RFC 8037 §2).
    ///
    /// Returns `nil` unless type, curve and numbers are those of the algorithm, and the key is not a weak one. Other
    /// members are ignored.
    package init?(jwk members: [String: JSONValue], algorithm: SigningAlgorithm) {
        func text(_ name: String) -> String? {
            guard case .string(let text)? = members[name] else { return nil }
            return text
        }
        func bytes(_ name: String) -> [UInt8]? { text(name).flatMap { Base64URL.decode($0) } }

        switch algorithm {
        case .es256:
            guard text("kty") == "EC", text("crv") == "P-256", let x = bytes("x"), let y = bytes("y"),
                x.count == 32, y.count == 32, let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            self = .es256(key)
        case .edDSA:
            guard text("kty") == "OKP", text("crv") == "Ed25519", let x = bytes("x"),
                Ed25519Encoding.isUsable(x), let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
            else { return nil }
            self = .edDSA(key)
        case .rs256:
            guard text("kty") == "RSA", let n = bytes("n"), let e = bytes("e"),
                n.count <= RSAVerificationKey.maximumBits / 8, e.count <= 8,
                let key = try? _RSA.Signing.PublicKey(n: n, e: e), let checked = RSAVerificationKey(key)
            else { return nil }
            self = .rs256(checked)
        }
    }
}
