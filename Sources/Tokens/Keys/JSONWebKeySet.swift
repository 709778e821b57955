/// What `/.well-known/jwks.json` answers (RFC 7517 §5).
enum JSONWebKeySet {
    /// The public keys, in the order given.
    ///
    /// Every member is written by name from a public key, so that a private one can't slip in.
    static func encode(_ keys: [RingKey]) -> [UInt8] {
        var json = JSONWriter(capacity: 256 * (keys.count + 1))
        json.object { set in
            set.member("keys") { array in
                for key in keys { array.object { write(key, into: &$0) } }
            }
        }
        return json.bytes
    }

    private static func write(_ key: RingKey, into object: inout JSONWriter) {
        let publicKey = key.key.verificationKey
        object.member("alg", string: publicKey.algorithm.rawValue)
        object.member("kid", string: key.id.text)
        object.member("use", string: "sig")
        for member in publicKey.requiredMembers { object.member(member.name, string: member.value) }
    }
}
