internal import Kernel

/// Writes a JSON value that was read, its members in the order of their names, so that the same value is always the same text.
enum JSONText {
    static func write(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let text): text
        case .string(let text): quote(text)
        case .array(let values): "[" + values.map(write).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { quote($0.key) + ":" + write($0.value) }.joined(
                    separator: ","
                )
                + "}"
        }
    }

    /// RFC 8259 §7.
    private static func quote(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case "\u{0}"..."\u{1F}":
                let hex = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}
