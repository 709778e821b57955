/// A 128-bit UUID as two machine words: no heap, cheap to hash, always printed lower-case and dashed (RFC 9562 §4).
package struct UUIDBits: Hashable, Sendable, Comparable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A version 4 UUID (RFC 9562 §5.4) over the first 16 of at least 16 random bytes.
    package init(version4 random: [UInt8]) {
        precondition(random.count >= 16, "an id needs 16 random bytes")
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in random.prefix(16).enumerated() {
            let shifted = UInt64(byte) << UInt64(56 - 8 * (index % 8))
            if index < 8 { words.0 |= shifted } else { words.1 |= shifted }
        }
        high = (words.0 & ~0xF000) | 0x4000
        low = (words.1 & ~(0b11 << 62)) | (0b10 << 62)
    }

    /// A version 7 UUID (RFC 9562 §5.7): the time in milliseconds, then 74 bits of 16 random bytes.
    package init(version7 time: Instant, random: [UInt8]) {
        let bits = UUIDBits(version4: random)
        let milliseconds = UInt64(max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
        high = milliseconds << 16 | 0x7000 | bits.high & 0xFFF
        low = bits.low
    }

    /// Reads the dashed form in either case; anything else is `nil`.
    package init?(_ text: some StringProtocol) { self.init(ascii: Array(text.utf8)) }

    private init?(ascii text: [UInt8]) {
        guard text.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for position in 0..<36 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard text[position] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let nibble = Self.nibble(text[position]) else { return nil }
            if digits < 16 { words.0 = words.0 << 4 | nibble } else { words.1 = words.1 << 4 | nibble }
            digits += 1
        }
        high = words.0
        low = words.1
    }

    /// The 16 bytes in network order.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            raw.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
            raw.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            count = 16
        }
    }

    package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }

    private static func nibble(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension UUIDBits: CustomStringConvertible {
    package var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            write(to: buffer)
            return 36
        }
    }

    /// Writes the 36 characters of the dashed form into a buffer that has room for them.
    ///
    /// A login prints about twenty ids, so this writes whole bytes and looks their digits up.
    package func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
        Self.digits.withUnsafeBufferPointer { digits in
            var position = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = index < 8 ? high : low
                let byte = Int(truncatingIfNeeded: word >> UInt64(56 - 8 * (index & 7)) & 0xFF)
                buffer[position] = digits[byte >> 4]
                buffer[position + 1] = digits[byte & 0xF]
                position += 2
            }
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
