import Kernel
import Testing

/// The ids that clients poll with and the tickets of links: their layout, and what a guess is worth.
@Suite struct TaggedIDsTests {
    private static let tagged = TaggedIDs(key: Digest256(sha256: "a key"))
    private static let bucket = Bucket(firstBitsOf: 0x2A5 << 54)

    private static func ids(_ count: Int, seed: UInt64 = 1) -> [UUIDBits] {
        let random = HashedBytes(seed: seed)
        return (0..<count).map { _ in tagged.makeID(in: bucket, random: random.bytes(16)) }
    }

    @Test func `a public id is of version 4 in form, with 80 random bits, its bucket and its tag`() {
        let ones = [UInt8](repeating: 0xFF, count: 16)
        let id = Self.tagged.makeID(in: Self.bucket, random: ones)
        #expect(id.high == 0xFFFF_FFFF_FFFF_4FFF && id.low >> 42 == 0x2FFFFF, "the random bits are as they were drawn")
        let key = KeyedHash(key: Digest256(sha256: "a key"))
        let random = UUIDBits(high: id.high, low: id.low & ~0x3FF_FFFF_FFFF).bytes[..<12]
        let hidden = Bucket(key.digest(Array(random), purpose: "bucket")).number ^ Self.bucket.number
        #expect(id.low >> 32 & 0x3FF == hidden)
        #expect(id.low & 0xFFFF_FFFF == key.digest(Array(id.bytes[..<12]), purpose: "tag").prefixWord >> 32)
    }

    @Test func `a ticket has 214 random bits, its bucket and its tag, in 43 characters`() throws {
        let ones = [UInt8](repeating: 0xFF, count: 32)
        let ticket = Self.tagged.makeTicket(in: Self.bucket, random: ones).expose()
        let bytes = try #require(Base64URL.decode(ticket))
        #expect(ticket.utf8.count == 43 && bytes.count == 32)
        #expect(bytes[..<26].allSatisfy { $0 == 0xFF } && bytes[26] & 0xFC == 0xFC)
        let key = KeyedHash(key: Digest256(sha256: "a key"))
        #expect(Array(bytes[28...]) == Array(key.digest(Array(bytes[..<28]), purpose: "tag").bytes[..<4]))
    }

    @Test func `every bucket is read back from ids and tickets`() {
        let random = HashedBytes(seed: 7)
        for number in 0..<UInt64(Bucket.count) {
            let bucket = Bucket(firstBitsOf: number << 54)
            let id = Self.tagged.makeID(in: bucket, random: random.bytes(16))
            let ticket = Self.tagged.makeTicket(in: bucket, random: random.bytes(32)).expose()
            #expect(Self.tagged.bucket(of: id) == bucket && Self.tagged.bucket(ofTicket: ticket) == bucket)
        }
    }

    // T-272
    @Test func `attack: an id with any bit flipped is refused`() {
        for id in Self.ids(20) {
            #expect(Self.tagged.isIssued(id))
            for bit in 0..<UInt64(128) {
                let flipped =
                    bit < 64
                    ? UUIDBits(high: id.high ^ 1 << bit, low: id.low)
                    : UUIDBits(high: id.high, low: id.low ^ 1 << (bit - 64))
                #expect(!Self.tagged.isIssued(flipped) && Self.tagged.bucket(of: flipped) == nil, "bit \(bit)")
            }
        }
    }

    // T-272
    @Test func `attack: a ticket with any bit flipped is refused`() throws {
        let ticket = Self.tagged.makeTicket(in: Self.bucket, random: HashedBytes(seed: 1).bytes(32)).expose()
        let bytes = try #require(Base64URL.decode(ticket))
        for bit in 0..<256 {
            var flipped = bytes
            flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            #expect(Self.tagged.bucket(ofTicket: Base64URL.encode(flipped)) == nil, "bit \(bit)")
        }
        for text in ["", "A", ticket + "A", String(ticket.dropLast())] {
            #expect(Self.tagged.bucket(ofTicket: text) == nil)
        }
    }

    @Test func `an id and a ticket of an earlier key are recognised, and new ones have the tag of now`() {
        let earlier = Digest256(sha256: "an earlier key")
        let before = TaggedIDs(key: earlier)
        let now = TaggedIDs(key: Digest256(sha256: "a key"), earlier: [earlier, Digest256(sha256: "the first key")])
        let random = HashedBytes(seed: 3).bytes(32)
        let (id, ticket) = (
            before.makeID(in: Self.bucket, random: random), before.makeTicket(in: Self.bucket, random: random)
        )
        #expect(now.isIssued(id) && now.bucket(of: id) == Self.bucket)
        #expect(now.bucket(ofTicket: ticket.expose()) == Self.bucket)
        #expect(!Self.tagged.isIssued(id) && Self.tagged.bucket(ofTicket: ticket.expose()) == nil)
        #expect(Self.tagged.isIssued(now.makeID(in: Self.bucket, random: random)))
    }

    @Test func `of 20,000 guesses none has a right tag`() {
        let random = HashedBytes(seed: 11)
        let found = (0..<20_000).count { _ in Self.tagged.isIssued(UUIDBits(version4: random.bytes(16))) }
        #expect(found == 0)
    }

    // T-271
    @Test func `attack: the ids of one bucket have nothing in common`() {
        let ids = Self.ids(1000)
        let other = HashedBytes(seed: 2)
        let spread = (0..<1000).map { number in
            Self.tagged.makeID(in: Bucket(firstBitsOf: UInt64(number) << 54), random: other.bytes(16))
        }
        // Each bit of bucket and tag is set in half of them: 500, with a deviation of 16.
        for bit in 0..<UInt64(42) {
            for group in [ids, spread] {
                #expect((420...580).contains(group.count { $0.low >> bit & 1 == 1 }), "bit \(bit)")
            }
        }
    }

    @Test func `an address has one bucket, and addresses are spread over all`() {
        let buckets = (0..<20_000).map { Self.tagged.bucket(ofAddress: "person\($0)@example.com") }
        #expect(Set(buckets).count == Bucket.count)
        #expect(buckets[0] == Self.tagged.bucket(ofAddress: "person0@example.com"))
        let other = TaggedIDs(key: Digest256(sha256: "another key"))
        #expect((0..<100).contains { other.bucket(ofAddress: "person\($0)@example.com") != buckets[$0] })
    }
}
