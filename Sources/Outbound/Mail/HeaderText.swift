/// Text in header fields: plain where it can be, else as encoded words (RFC 2047), on lines of at most 76 characters.
///
/// The `Q` encoding, not base64: base64 makes digits of anything, and six in a row must be a code.
enum HeaderText {
    /// The longest an encoded word may be (RFC 2047 §2).
    private static let wordLimit = 75
    /// The longest name of a field with addresses (`Reply-To`), with its colon and space.
    private static let addressFieldWidth = 10
    private static let opening = "=?utf-8?Q?"

    /// Returns an unstructured field's text (`Subject`); line breaks and other controls become spaces.
    static func unstructured(_ text: String, after name: String) -> String {
        let text = tamed(text)
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
        return isPlain && name.utf8.count + 2 + text.utf8.count <= 76
            ? text : encodedWords(text, after: name.utf8.count + 2)
    }

    /// Returns a display name (`phrase`, RFC 5322 §3.2.5).
    static func phrase(_ text: String) -> String {
        let text = tamed(text)
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), text.utf8.count <= 50, !text.contains("=?") else {
            return encodedWords(text, after: addressFieldWidth)
        }
        let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"\(String(escaped))\""
    }

    /// Whether text may contain the scalar: neither a control, nor a line end, nor a change of the writing
    /// direction.
    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    private static func tamed(_ text: String) -> String {
        var tamed = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { tamed.append(isPrintable(scalar) ? scalar : " ") }
        return String(tamed)
    }

    /// `width`: The length of the text before the first word in its line.
    private static func encodedWords(_ text: String, after width: Int) -> String {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            // A character is never parted between two words (RFC 2047 §5).
            let piece = encoded(scalar)
            let limit = words.isEmpty ? wordLimit - width : wordLimit
            if opening.utf8.count + word.utf8.count + piece.utf8.count + 2 > limit {
                words.append(word)
                word = ""
            }
            word += piece
        }
        words.append(word)
        return words.map { "\(opening)\($0)?=" }.joined(separator: "\r\n ")
    }

    private static func encoded(_ scalar: Unicode.Scalar) -> String {
        if scalar == " " { return "_" }
        if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { return String(scalar) }
        return UTF8.encode(scalar).map { $0.map(QuotedPrintable.escaped).joined() } ?? ""
    }
}
