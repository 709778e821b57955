/// Encodes text as quoted-printable (RFC 2045 §6.7), in lines of at most 76 characters that end with CR LF.
///
/// Soft line breaks, which a reader removes, interrupt runs of digits. So only a code has six digits in a row in the
/// encoded mail.
enum QuotedPrintable {
    private static let lineLimit = 76
    private static let digitLimit = 5

    /// `code`: digits that are not interrupted.
    static func encode(_ text: String, keeping code: String? = nil) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line(Array($0.utf8), keeping: code.map { Array($0.utf8) } ?? []) }
            .joined(separator: "\r\n")
    }

    static func escaped(_ byte: UInt8) -> String {
        let hex = Array("0123456789ABCDEF")
        return "=\(hex[Int(byte >> 4)])\(hex[Int(byte & 0xF)])"
    }

    private static func line(_ bytes: [UInt8], keeping code: [UInt8]) -> String {
        var line = Line()
        var index = 0
        while index < bytes.count {
            if !code.isEmpty, bytes[index...].starts(with: code) {
                line.append(String(decoding: code, as: UTF8.self), digits: .kept)
                index += code.count
                continue
            }
            let isLast = index == bytes.count - 1
            let piece = piece(bytes[index], isLast: isLast)
            line.append(piece, digits: .counted)
            index += 1
        }
        return line.text
    }

    /// Returns the encoded form of a byte: white space at the end of a line is escaped, because it would be lost.
    private static func piece(_ byte: UInt8, isLast: Bool) -> String {
        switch byte {
        case 0x20, 0x09: isLast ? escaped(byte) : String(UnicodeScalar(byte))
        case UInt8(ascii: "="): escaped(byte)
        case 0x21...0x7E: String(UnicodeScalar(byte))
        default: escaped(byte)
        }
    }

    private struct Line {
        enum Digits { case kept, counted }

        var text = ""
        private var width = 0
        /// The number of digits in a row at the end of the text so far.
        private var run = 0

        mutating func append(_ piece: String, digits: Digits) {
            let width = piece.utf8.count
            let digitCount = piece.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
            let isAllDigits = digitCount == width
            let breaksRun = digits == .counted ? isAllDigits && run + width > digitLimit : run > 0
            // One column is kept free for the `=` of a soft line break.
            if self.width + width > lineLimit - 1 || breaksRun { softBreak() }
            text += piece
            self.width += width
            run = isAllDigits ? run + digitCount : digitCount
        }

        private mutating func softBreak() {
            text += "=\r\n"
            width = 0
            run = 0
        }
    }
}
