/// Writes compact JSON (RFC 8259) in the order of the calls.
///
/// Equal claims always give equal bytes. Tokens are written without reflection and dictionaries, because every login
/// waits for them.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether a value precedes the next one in the same object or array.
    private var needsComma = false

    package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    /// Writes an object as the next element.
    ///
    /// The closure writes its members.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        nest("{", "}", content: members)
    }

    package mutating func member(_ name: String, string value: String) {
        self.name(name)
        quote(value)
    }

    package mutating func member(_ name: String, integer value: Int64) {
        self.name(name)
        append(integer: value)
    }

    mutating func member(_ name: String, flag value: Bool) {
        self.name(name)
        bytes += Array((value ? "true" : "false").utf8)
    }

    /// Writes a member that is an object.
    ///
    /// The closure writes the members of that object.
    package mutating func nested(_ name: String, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        nest("{", "}", content: members)
    }

    mutating func member(_ name: String, strings values: [String]) {
        member(
            name,
            array: { array in
                for value in values {
                    array.separate()
                    array.quote(value)
                }
            }
        )
    }

    /// Writes a member that is an array.
    ///
    /// The closure writes its elements.
    mutating func member(_ name: String, array elements: (inout JSONWriter) -> Void) {
        self.name(name)
        nest("[", "]", content: elements)
    }

    private mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func nest(
        _ opening: Unicode.Scalar,
        _ closing: Unicode.Scalar,
        content: (inout JSONWriter) -> Void
    ) {
        bytes.append(UInt8(ascii: opening))
        needsComma = false
        content(&self)
        bytes.append(UInt8(ascii: closing))
        needsComma = true
    }

    /// Writes a quoted text.
    ///
    /// Only characters that RFC 8259 §7 requires to be escaped are escaped.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            // Text without escapes is appended in one piece. A token is one such piece.
            guard Self.needsEscapes(utf8) else { return bytes.append(contentsOf: utf8) }
            var rest = utf8[...]
            while let special = rest.firstIndex(where: Self.mustBeEscaped) {
                bytes.append(contentsOf: rest[..<special])
                escape(rest[special])
                rest = rest[(special + 1)...]
            }
            bytes.append(contentsOf: rest)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Looks at eight bytes at a time, because an answer is mostly tokens, which have nothing to escape.
    ///
    /// One subtraction compares all bytes of a word ("Bit Twiddling Hacks", S. E. Anderson: "Determine if a word has a byte
    /// less than n"). Swift's vectors took nine times as many instructions.
    private static func needsEscapes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(text)
        var index = 0
        while index + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let isSpecial =
                bytesBelow(0x20, word) | bytesBelow(1, word ^ every(UInt8(ascii: "\"")))
                | bytesBelow(1, word ^ every(UInt8(ascii: "\\")))
            if isSpecial != 0 { return true }
            index += 8
        }
        return text[index...].contains(where: mustBeEscaped)
    }

    /// A word of eight times that byte.
    private static func every(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Zero if no byte of the word is below the limit, which is at most 128.
    private static func bytesBelow(_ limit: UInt8, _ word: UInt64) -> UInt64 {
        (word &- every(limit)) & ~word & every(0x80)
    }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        if byte >= 0x20 {
            bytes.append(byte)
        } else {
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 0xF)])
        }
    }

    private mutating func append(integer value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
