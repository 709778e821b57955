/// Reads the small XML documents of an upstream, which decide about access.
///
/// The reader accepts a subset of XML 1.0 without the features that attacks on parsers use. It refuses document types,
/// and so all entities except the five built-in ones. It also refuses processing instructions and encodings other than
/// UTF-8. It never recurses and never fetches anything. Namespaces are not resolved: a prefix is part of the name as
/// written.
package struct XMLReader {
    private let bytes: [UInt8]
    private let limits: XMLLimits
    private var position = 0
    private var elements = 0
    private var open: [XMLElement] = []
    private var root: XMLElement?

    private init(_ bytes: [UInt8], _ limits: XMLLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Returns the root element of a document.
    package static func read(_ bytes: [UInt8], _ limits: XMLLimits = XMLLimits()) throws(XMLError) -> XMLElement {
        guard bytes.count <= limits.bytes else { throw .tooLarge }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .encoding }
        guard text.unicodeScalars.allSatisfy(isCharacter) else { throw .malformed }
        var reader = XMLReader(bytes, limits)
        return try reader.document()
    }

    private mutating func document() throws(XMLError) -> XMLElement {
        // A byte order mark is allowed before UTF-8 (XML 1.0 §4.3.3).
        _ = take("\u{FEFF}")
        if follows("<?xml"), let next = byte(at: position + 5), Self.isSpace(next) { try declaration() }
        while position < bytes.count { try step() }
        guard open.isEmpty, let root else { throw .malformed }
        return root
    }

    /// Reads the XML declaration (XML 1.0 §2.8).
    private mutating func declaration() throws(XMLError) {
        position += 5
        let fields = try attributes()
        guard take("?>"), fields["version"] == "1.0",
            Set(fields.keys).isSubset(of: ["version", "encoding", "standalone"])
        else { throw .malformed }
        guard ["utf-8", "us-ascii"].contains(fields["encoding"]?.lowercased() ?? "utf-8") else { throw .encoding }
    }

    private mutating func step() throws(XMLError) {
        guard peek() == UInt8(ascii: "<") else { return try characters() }
        if take("<!--") { return try skipComment() }
        if take("<![CDATA[") { return try verbatim() }
        if take("</") { return try endTag() }
        if follows("<!DOCTYPE") { throw .documentType }
        if follows("<?") { throw .instruction }
        position += 1
        try startTag()
    }

    private mutating func startTag() throws(XMLError) {
        elements += 1
        guard elements <= limits.elements else { throw .tooLarge }
        guard root == nil else { throw .malformed }
        guard open.count < limits.depth else { throw .tooDeep }
        let element = XMLElement(name: try name(), attributes: try attributes())
        if take("/>") { return close(element) }
        guard take(">") else { throw .malformed }
        open.append(element)
    }

    private mutating func endTag() throws(XMLError) {
        let name = try name()
        skipSpace()
        guard take(">"), let element = open.popLast(), element.name == name else { throw .malformed }
        close(element)
    }

    private mutating func close(_ element: XMLElement) {
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    private mutating func attributes() throws(XMLError) -> [String: String] {
        var attributes: [String: String] = [:]
        while skipSpace(), let next = peek(), Self.isNameStart(next) {
            let name = try name()
            skipSpace()
            guard take("=") else { throw .malformed }
            skipSpace()
            guard attributes.count < limits.attributes else { throw .tooLarge }
            guard attributes.updateValue(try quoted(), forKey: name) == nil else { throw .malformed }
        }
        return attributes
    }

    private mutating func quoted() throws(XMLError) -> String {
        guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw .malformed }
        position += 1
        var value: [UInt8] = []
        while let next = peek(), next != quote {
            switch next {
            case UInt8(ascii: "<"): throw .malformed
            case UInt8(ascii: "&"): value += try reference()
            // XML 1.0 §3.3.3: white space in an attribute becomes a space.
            case 0x09, 0x0A, 0x0D:
                value.append(0x20)
                position += 1
            default:
                value.append(next)
                position += 1
            }
        }
        guard peek() == quote else { throw .malformed }
        position += 1
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func characters() throws(XMLError) {
        var text: [UInt8] = []
        while let next = peek(), next != UInt8(ascii: "<") {
            if next == UInt8(ascii: "&") {
                text += try reference()
                continue
            }
            // XML 1.0 §2.4: text must not contain `]]>`.
            guard !follows("]]>") else { throw .malformed }
            text.append(next)
            position += 1
        }
        // Outside of the root only literal white space is allowed, and no reference (XML 1.0 §2.8).
        guard open.isEmpty else { return open[open.count - 1].text += String(decoding: text, as: UTF8.self) }
        guard text.allSatisfy(Self.isSpace) else { throw .malformed }
    }

    private mutating func verbatim() throws(XMLError) {
        guard !open.isEmpty else { throw .malformed }
        let start = position
        while position < bytes.count, !follows("]]>") { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard take("]]>") else { throw .malformed }
        open[open.count - 1].text += text
    }

    /// Skips a comment, which must have no two adjacent hyphens (XML 1.0 §2.5).
    private mutating func skipComment() throws(XMLError) {
        while position < bytes.count, !follows("--") { position += 1 }
        guard take("-->") else { throw .malformed }
    }

    /// Returns one of the five built-in entities, or a character by its number (XML 1.0 §4.1, §4.6).
    private mutating func reference() throws(XMLError) -> [UInt8] {
        guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw .malformed }
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: return try Array(String(Self.scalar(name)).utf8)
        }
    }

    private static func scalar(_ name: String) throws(XMLError) -> Unicode.Scalar {
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        // Swift accepts a sign before the digits, but XML does not.
        guard name.hasPrefix("#"), digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number),
            isCharacter(scalar)
        else { throw .malformed }
        return scalar
    }

    private mutating func name() throws(XMLError) -> String {
        let start = position
        guard let first = peek(), Self.isNameStart(first) else { throw .malformed }
        while let next = peek(), Self.isNameByte(next) { position += 1 }
        guard position - start <= limits.name else { throw .tooLarge }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else { throw .malformed }
        return name
    }
}

// MARK: - Bytes

extension XMLReader {
    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private func peek() -> UInt8? { byte(at: position) }

    private func follows(_ text: StaticString) -> Bool {
        guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[position + index] != text.utf8Start[index] { return false }
        return true
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard follows(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        while let next = peek(), Self.isSpace(next) { position += 1 }
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Whether a byte may begin a name.
    ///
    /// Every byte beyond ASCII may, because names are only compared.
    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
            0x80...0xFF:
            true
        default: false
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: isNameStart(byte)
        }
    }

    /// Whether a scalar is a character that XML allows (XML 1.0 §2.2).
    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }
}
