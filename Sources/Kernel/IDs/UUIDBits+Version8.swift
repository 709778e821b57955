// The ids of a PostgreSQL database, bit by bit (ADR 20). Ids outlive every version of the program: none of these bits
// may ever change its place.
extension UUIDBits {
    /// The start of the time in version 8 ids, 2024-01-01T00:00:00Z.
    ///
    /// 42 bits of milliseconds last until 2163.
    package static let version8Epoch = Instant(seconds: 1_704_067_200)

    /// The bits of bucket and time, which nobody outside the server may read: 0–47 and 52–55 of 128.
    static let version8Mask: UInt64 = 0xFFFF_FFFF_FFFF_0F00

    /// A version 8 UUID (RFC 9562 §5.8): bucket, time, and 70 random bits.
    ///
    /// - Parameters:
    ///   - time: An earlier time than ``version8Epoch`` counts as it.
    ///   - bucket: The first ten bits.
    ///   - random: 16 bytes, of which the last nine are used.
    package init(version8 time: Instant, bucket: Bucket, random: [UInt8]) {
        let bits = UUIDBits(version4: random)
        let elapsed = time.milliseconds - Self.version8Epoch.milliseconds
        let milliseconds = UInt64(max(0, elapsed)) & (1 << 42 - 1)
        self.init(
            high: bucket.number << 54 | (milliseconds >> 4) << 16 | 0x8000 | (milliseconds & 0xF) << 8
                | bits.high & 0xFF,
            low: bits.low
        )
    }

    /// The version (RFC 9562 §4.2).
    package var version: Int { Int(high >> 12 & 0xF) }

    /// The bucket of an id as the database holds it.
    ///
    /// Version 8 ids name it. Others were made by SQLite and moved: theirs are the first ten bits of their SHA-256.
    package var bucket: Bucket { version == 8 ? Bucket(firstBitsOf: high) : Bucket(Digest256(sha256: self)) }
}
