/// Text that is not JSON, or is JSON that this reader refuses.
///
/// The error has no position: the text may be an attacker's.
package struct MalformedJSONError: Error, Equatable {
    package init() {}
}

/// Reads JSON (RFC 8259) that a decision depends on: a provider's answer, a token's header and claims.
///
/// A member named twice is refused, since readers differ about which one counts. One of the two might say "approved",
/// and an attacker could exploit the difference. Text after the value, invalid UTF-8, half a surrogate pair, and
/// nesting beyond the limit are refused too.
package struct JSONReader {
    /// The deepest nesting, unless the caller gives another limit.
    package static let maximumDepth = 32

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0

    private init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// Returns the only JSON value in `bytes`.
    package static func read(
        _ bytes: [UInt8],
        maximumDepth: Int = JSONReader.maximumDepth
    ) throws(MalformedJSONError) -> JSONValue {
        var reader = JSONReader(bytes, maximumDepth: maximumDepth)
        let value = try reader.value(depth: 1)
        reader.skipWhitespace()
        guard reader.position == bytes.count else { throw MalformedJSONError() }
        return value
    }

    private mutating func value(depth: Int) throws(MalformedJSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw MalformedJSONError() }
        skipWhitespace()
        switch peek() {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func members(depth: Int) throws(MalformedJSONError) -> [String: JSONValue] {
        position += 1
        var members: [String: JSONValue] = [:]
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipWhitespace()
            guard peek() == UInt8(ascii: "\"") else { throw MalformedJSONError() }
            let name = try string()
            skipWhitespace()
            guard take(UInt8(ascii: ":")), members[name] == nil else { throw MalformedJSONError() }
            members[name] = try value(depth: depth + 1)
            skipWhitespace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw MalformedJSONError() }
        }
    }

    private mutating func elements(depth: Int) throws(MalformedJSONError) -> [JSONValue] {
        position += 1
        var elements: [JSONValue] = []
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(depth: depth + 1))
            skipWhitespace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw MalformedJSONError() }
        }
    }

    private mutating func literal(_ text: String, _ value: JSONValue) throws(MalformedJSONError) -> JSONValue {
        for byte in text.utf8 {
            guard take(byte) else { throw MalformedJSONError() }
        }
        return value
    }

    private mutating func number() throws(MalformedJSONError) -> String {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(MalformedJSONError) {
        let start = position
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw MalformedJSONError() }
    }

    private mutating func string() throws(MalformedJSONError) -> String {
        position += 1
        let start = position
        skipPlainText()
        // Most strings hold no escape, and need no copy.
        if take(UInt8(ascii: "\"")) { return try Self.text(bytes[start..<position - 1]) }
        var text = Array(bytes[start..<position])
        while let byte = peek() {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try Self.text(text[...])
            case UInt8(ascii: "\\"): text.append(contentsOf: String(try escape()).utf8)
            case 0x00...0x1F: throw MalformedJSONError()
            default: text.append(byte)
            }
        }
        throw MalformedJSONError()
    }

    private mutating func skipPlainText() {
        while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(MalformedJSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw MalformedJSONError() }
        return text
    }

    private mutating func escape() throws(MalformedJSONError) -> Unicode.Scalar {
        guard let byte = peek() else { throw MalformedJSONError() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try scalar()
        default: throw MalformedJSONError()
        }
    }

    /// Returns the scalar of a `\u` escape, or of the two escapes that make a surrogate pair.
    private mutating func scalar() throws(MalformedJSONError) -> Unicode.Scalar {
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw MalformedJSONError() }
        let low = try codeUnit()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((UInt32(unit) - 0xD800) << 10) + (UInt32(low) - 0xDC00))
        else { throw MalformedJSONError() }
        return scalar
    }

    private mutating func codeUnit() throws(MalformedJSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek(), byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw MalformedJSONError()
            }
            position += 1
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }
}
