internal import Crypto
internal import CryptoExtras
internal import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The keys of a published key set (RFC 7517 §5), by `kid`: the only ones that a token of that issuer may name.
///
/// A key counts if it says which algorithm it is for, is for signatures, and is the one that its `kid` is the thumbprint
/// of (RFC 7638): whatever else stands in the set is passed over, so that an issuer can publish keys of a kind that this
/// verifier does not know.
package struct PublishedKeys: Sendable {
    /// As many as are looked at.
    package static let maximumCount = 64

    private let keys: [String: VerificationKey]

    /// `nil` for what is no key set, for one with too many keys, and for one that names a `kid` twice.
    package init?(_ document: [UInt8]) {
        guard case .object(let set)? = try? JSONReader.read(document, maximumDepth: ClaimReader.maximumDepth),
            case .array(let members)? = set["keys"], members.count <= Self.maximumCount
        else { return nil }
        var keys: [String: VerificationKey] = [:]
        for member in members {
            guard case .object(let member) = member, let key = Self.key(member) else { continue }
            guard keys.updateValue(key, forKey: key.thumbprint.text) == nil else { return nil }
        }
        self.keys = keys
    }

    package subscript(kid: String) -> VerificationKey? { keys[kid] }

    package var count: Int { keys.count }

    private static func key(_ member: [String: JSONValue]) -> VerificationKey? {
        guard text(member["use"]) == "sig", let algorithm = text(member["alg"]).flatMap(SigningAlgorithm.init),
            let key = key(member, algorithm), key.thumbprint.text == text(member["kid"])
        else { return nil }
        return key
    }

    private static func key(_ member: [String: JSONValue], _ algorithm: SigningAlgorithm) -> VerificationKey? {
        switch algorithm {
        case .es256:
            guard text(member["kty"]) == "EC", text(member["crv"]) == "P-256",
                let x = bytes(member["x"]), let y = bytes(member["y"]), x.count == 32, y.count == 32
            else { return nil }
            return (try? P256.Signing.PublicKey(rawRepresentation: x + y)).map { .es256($0) }
        case .edDSA:
            guard text(member["kty"]) == "OKP", text(member["crv"]) == "Ed25519", let x = bytes(member["x"]) else {
                return nil
            }
            return (try? Curve25519.Signing.PublicKey(rawRepresentation: x)).map { .edDSA($0) }
        case .rs256:
            guard text(member["kty"]) == "RSA", let n = bytes(member["n"]), let e = bytes(member["e"]),
                n.count <= RSAVerificationKey.maximumBits / 8, e.count <= 8,
                let key = try? _RSA.Signing.PublicKey(n: n, e: e)
            else { return nil }
            return RSAVerificationKey(key).map { .rs256($0) }
        }
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value else { return nil }
        return text
    }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? { text(value).flatMap { Base64URL.decode($0) } }
}
