/// Text in header fields, on lines of at most 76 characters: plain where possible, otherwise as encoded words (RFC
/// 2047).
///
/// The encoding is `Q`. Base64 can turn any text into digits, and only a code may have six digits in a row.
enum HeaderText {
    /// The greatest length of an encoded word (RFC 2047 §2).
    private static let wordLimit = 75
    /// The length of the longest address field's name (`Reply-To`), with its colon and space.
    private static let addressFieldWidth = 10
    private static let opening = "=?utf-8?Q?"

    /// Returns the text of an unstructured field (`Subject`), with line breaks and other controls replaced by spaces.
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

    /// Whether text may contain the scalar: it is no control character, line end or change of the writing direction.
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

    /// `width`: the length of the text before the first word in its line.
    private static func encodedWords(_ text: String, after width: Int) -> String {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            // A character is never split between two encoded words (RFC 2047 §5).
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
