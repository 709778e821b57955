/// Base64 with the URL-safe alphabet and no padding (RFC 4648 §5).
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(Array(bytes)) }

    // Not generic: a generic function is not specialised across modules, and every token uses this one.
    package static func encode(_ bytes: [UInt8]) -> String {
        let length = encodedLength(of: bytes.count)
        return String(unsafeUninitializedCapacity: length) { buffer in
            write(bytes, to: buffer)
            return length
        }
    }

    /// The number of characters of so many bytes.
    package static func encodedLength(of count: Int) -> Int { (count * 4 + 2) / 3 }

    /// Writes the encoded form into a buffer that has room for it, three bytes at a time.
    package static func write(_ bytes: [UInt8], to buffer: UnsafeMutableBufferPointer<UInt8>) {
        alphabet.withUnsafeBufferPointer { alphabet in
            var position = 0
            var index = 0
            while index + 2 < bytes.count {
                let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                buffer[position] = alphabet[group >> 18]
                buffer[position + 1] = alphabet[group >> 12 & 0x3F]
                buffer[position + 2] = alphabet[group >> 6 & 0x3F]
                buffer[position + 3] = alphabet[group & 0x3F]
                position += 4
                index += 3
            }
            guard index < bytes.count else { return }
            let second = index + 1 < bytes.count ? Int(bytes[index + 1]) : nil
            let group = Int(bytes[index]) << 16 | (second ?? 0) << 8
            buffer[position] = alphabet[group >> 18]
            buffer[position + 1] = alphabet[group >> 12 & 0x3F]
            if second != nil { buffer[position + 2] = alphabet[group >> 6 & 0x3F] }
        }
    }

    /// Decodes strictly: padding, another alphabet, or stray bits behind the last byte give `nil`.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(Array(text.utf8)[...]) }

    /// Decodes the bytes of a text in the same way.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        var accumulator: UInt32 = 0
        var bits = 0
        var count = 0
        output.reserveCapacity(text.count * 3 / 4)
        for byte in text {
            guard let value = value(of: byte) else { return nil }
            accumulator = (accumulator << 6 | UInt32(value)) & 0xFFFF
            bits += 6
            count += 1
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: accumulator >> UInt32(bits)))
            }
        }
        guard count % 4 != 1, accumulator & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
        return output
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
