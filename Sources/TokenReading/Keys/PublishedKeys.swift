internal import Kernel

/// The keys of a published key set (RFC 7517 §5), by `kid`: the only ones that a token of that issuer may name.
///
/// A key counts if it names its algorithm, is for signatures, and matches its `kid`, a thumbprint (RFC 7638). All other
/// keys of the set are passed over, so that an issuer can publish kinds of keys that this verifier does not know. A key
/// with a purpose (``purposeMember``) signs no access tokens, and is passed over too: one use, one key (RFC 8725 §3.11,
/// §3.12).
package struct PublishedKeys: Sendable {
    /// The largest number of keys in a set.
    package static let maximumCount = 64
    /// The member of a key that is for one kind of token alone; others pass it over (RFC 7517 §4).
    package static let purposeMember = "vestibule_purpose"
    /// The value of that member for keys that sign id tokens.
    package static let identityPurpose = "id_token"

    private let keys: [String: VerificationKey]

    /// Returns `nil` for a document that is not a key set, has too many keys, or names a `kid` twice.
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
        guard member[purposeMember] == nil, text(member["use"]) == "sig",
            let algorithm = text(member["alg"]).flatMap(SigningAlgorithm.init),
            let key = VerificationKey(jwk: member, algorithm: algorithm), key.thumbprint.text == text(member["kid"])
        else { return nil }
        return key
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value else { return nil }
        return text
    }
}
