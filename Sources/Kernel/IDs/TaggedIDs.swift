/// Makes and recognises the ids that clients poll with and the tickets of links (ADR 20).
///
/// The last 32 bits of both are an HMAC of all that stands before. So of 4 thousand million guesses one reaches the
/// store. The random bits alone still guard a login: 80 in an id, and 214 in a ticket.
package struct TaggedIDs: Sendable {
    private let current: TagKey
    private let earlier: [TagKey]

    /// - Parameters:
    ///   - key: Tags new ids.
    ///   - earlier: The keys before it, by which ids are recognised as long as their rows are kept.
    package init(key: Digest256, earlier: [Digest256] = []) {
        current = TagKey(key)
        self.earlier = earlier.map { TagKey($0) }
    }

    /// Makes the id that a client polls with, a UUID of version 4 in form.
    ///
    /// `random`: 16 bytes, of which 80 bits are used.
    package func makeID(in bucket: Bucket, random: [UInt8]) -> UUIDBits {
        let bits = UUIDBits(version4: random)
        let head = UUIDBits(high: bits.high, low: bits.low & ~PublicIDLayout.notRandom)
        let place = current.place(of: bucket, hiddenBy: head.bytes[..<12])
        let placed = UUIDBits(high: head.high, low: head.low | place.number << 32)
        return UUIDBits(high: placed.high, low: placed.low | UInt64(current.tag(of: placed.bytes[..<12])))
    }

    /// Makes the ticket of a link: 256 bits in base64url.
    ///
    /// `random`: 32 bytes, of which the first 214 bits are used.
    package func makeTicket(in bucket: Bucket, random: [UInt8]) -> Secret {
        precondition(random.count >= 28, "a ticket needs 214 random bits")
        var head = Array(random.prefix(28))
        head[26] &= 0xFC
        head[27] = 0
        let place = current.place(of: bucket, hiddenBy: head[...]).number
        head[26] |= UInt8(place >> 8)
        head[27] = UInt8(place & 0xFF)
        let tag = withUnsafeBytes(of: current.tag(of: head[...]).bigEndian) { Array($0) }
        return Secret(Base64URL.encode(head + tag))
    }

    /// Returns the bucket of a presented id; `nil` for one that this server did not make.
    package func bucket(of id: UUIDBits) -> Bucket? {
        let bytes = id.bytes
        guard let key = key(of: bytes[..<12], tag: UInt32(truncatingIfNeeded: id.low)) else { return nil }
        let head = UUIDBits(high: id.high, low: id.low & ~PublicIDLayout.notRandom)
        return key.place(of: Bucket(firstBitsOf: id.low << 22), hiddenBy: head.bytes[..<12])
    }

    /// Returns the bucket of a presented ticket; `nil` for one that this server did not make.
    package func bucket(ofTicket text: some StringProtocol) -> Bucket? {
        guard let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        let tag = bytes[28...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let key = key(of: bytes[..<28], tag: tag) else { return nil }
        let place = UInt64(bytes[26] & 3) << 8 | UInt64(bytes[27])
        let head = bytes[..<26] + [bytes[26] & 0xFC, 0]
        return key.place(of: Bucket(firstBitsOf: place << 54), hiddenBy: head[...])
    }

    /// Whether this server made the id, which says nothing about whether it is still known: one hash, and no read.
    package func isIssued(_ id: UUIDBits) -> Bool {
        key(of: id.bytes[..<12], tag: UInt32(truncatingIfNeeded: id.low)) != nil
    }

    /// Returns the bucket of what is started for an address without an account.
    ///
    /// It is the same at every start, as an account's is.
    package func bucket(ofAddress address: String) -> Bucket { current.bucket(ofAddress: address) }

    private func key(of head: ArraySlice<UInt8>, tag: UInt32) -> TagKey? {
        if current.tag(of: head) == tag { return current }
        return earlier.first { $0.tag(of: head) == tag }
    }
}

private enum PublicIDLayout {
    /// The bits of bucket and tag in the second word: 86–95 and 96–127 of 128.
    static let notRandom: UInt64 = 0x3FF_FFFF_FFFF
}

/// One key of tags, with a purpose for each use: what it says for one is useless for another.
private struct TagKey: Sendable {
    private let hash: KeyedHash

    init(_ key: Digest256) { hash = KeyedHash(key: key) }

    /// Returns the first 32 bits of the HMAC of all that stands before the tag.
    func tag(of head: ArraySlice<UInt8>) -> UInt32 {
        UInt32(hash.digest(Array(head), purpose: "tag").prefixWord >> 32)
    }

    /// Hides a bucket by an HMAC of the random bits, or shows a hidden one.
    func place(of bucket: Bucket, hiddenBy random: ArraySlice<UInt8>) -> Bucket {
        Bucket(firstBitsOf: bucket.number << 54 ^ hash.digest(Array(random), purpose: "bucket").prefixWord)
    }

    func bucket(ofAddress address: String) -> Bucket {
        Bucket(hash.digest(Array(address.utf8), purpose: "address"))
    }
}
