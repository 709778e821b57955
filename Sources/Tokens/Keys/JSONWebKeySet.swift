internal import TokenReading

/// The answer of `/.well-known/jwks.json` (RFC 7517 §5).
enum JSONWebKeySet {
    /// Returns the public halves of all keys that are not retired, in the given order.
    ///
    /// Every member is written by name from a public key, so that no private member can be published. `identity` are
    /// the keys that sign only id tokens. Each of them is marked with the member `PublishedKeys.purposeMember`.
    static func encode(_ keys: [RingKey], identity: [RingKey] = []) -> [UInt8] {
        var json = JSONWriter(capacity: 512 * (keys.count + identity.count + 1))
        json.object { set in
            set.member("keys") { array in
                for key in keys.compactMap(\.key) { array.object { write(key.verificationKey, into: &$0) } }
                for key in identity.compactMap(\.key) {
                    array.object { write(key.verificationKey, isForIdentity: true, into: &$0) }
                }
            }
        }
        return json.bytes
    }

    private static func write(_ key: VerificationKey, isForIdentity: Bool = false, into object: inout JSONWriter) {
        object.member("alg", string: key.algorithm.rawValue)
        object.member("kid", string: key.thumbprint.text)
        object.member("use", string: "sig")
        if isForIdentity { object.member(PublishedKeys.purposeMember, string: PublishedKeys.identityPurpose) }
        for member in key.requiredMembers { object.member(member.name, string: member.value) }
    }
}
