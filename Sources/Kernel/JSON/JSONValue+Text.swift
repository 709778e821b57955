extension JSONValue {
    /// The value as JSON text (RFC 8259), the members of an object in the order of their names, so that equal values have
    /// equal texts.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): Self.quoted(text)
        case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ","))}"
        }
    }

    /// Writes a JSON string with its quotes.
    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Writes the content between the quotes of a JSON string (RFC 8259 §7).
    ///
    /// U+007F and the line separators U+2028 and U+2029 are escaped too: JavaScript treats the separators as line ends.
    package static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
                output += "\\u" + Hex.encode([UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)])
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
