package import Kernel
internal import TokenReading

/// The claims of a checkpoint of the audit log: at that time, the hash chain of that node ended with that row.
package struct CheckpointClaims: Sendable, Hashable {
    /// `node`.
    package let node: String
    /// `row`: the number of the last row in the chain; 0 for a chain without rows.
    package let number: Int64
    /// `hash`: the hash of that row, in base64url.
    package let hash: Digest256
    /// The time: whole seconds in `iat`, and milliseconds since 1970 in `iatMs`.
    package let at: Instant

    package init(node: String, number: Int64, hash: Digest256, at: Instant) {
        self.node = node
        self.number = number
        self.hash = hash
        self.at = at
    }

    /// Returns the claims as JSON, always in this order.
    func json() -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { object in
            object.member("node", string: node)
            object.member("row", integer: number)
            object.member("hash", string: Base64URL.encode(hash.bytes))
            object.member("iat", integer: at.seconds)
            object.member("iatMs", integer: at.milliseconds)
        }
        return json.bytes
    }

    init(_ claims: ClaimReader) throws(TokenError) {
        guard let hash = Base64URL.decode(try claims.string("hash")).flatMap({ Digest256($0) }) else { throw .claims }
        let number = try claims.integer("row")
        let at = Instant(milliseconds: try claims.integer("iatMs"))
        guard number >= 0, at.milliseconds >= 0, try claims.instant("iat").seconds == at.seconds else { throw .claims }
        self.init(node: try claims.string("node"), number: number, hash: hash, at: at)
    }
}
