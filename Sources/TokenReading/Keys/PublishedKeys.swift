internal import Kernel

/// The keys of a published key set (RFC 7517 §5), by `kid`.
///
/// Tokens of that issuer may name only these.
///
/// A key is used if it names its algorithm, is for signatures, and its `kid` is its thumbprint (RFC 7638). Other keys
/// are ignored, so that an issuer can publish kinds of keys that this verifier does not support. A key with a purpose
/// (``purposeMember``) signs no access tokens and is ignored too: each use has its own key (RFC 8725 §3.11, §3.12).
package struct PublishedKeys: Sendable {
    /// The most keys in a set.
    package static let maximumCount = 64
    /// The member of a key that signs only one kind of token.
    ///
    /// Verifiers of other kinds ignore the key (RFC 7517 §4).
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
