import Kernel

// JSON values that a status table can name, or that can be an id.
extension JSONValue {
    /// A text, whole number or truth value as text, or `nil` for anything that a status table can't name.
    package var word: String? {
        switch self {
        case .string(let text): text
        case .number(let text): Self.isWhole(text) ? text : nil
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The value as an id: a text or whole number of 1 to 256 bytes; `nil` for anything else.
    package var identifier: String? {
        switch self {
        case .string(let text), .number(let text):
            guard let word, word == text, (1...256).contains(text.utf8.count) else { return nil }
            return text
        case .null, .bool, .array, .object: return nil
        }
    }

    private static func isWhole(_ number: String) -> Bool {
        Int64(number).map { String($0) == number } ?? false
    }
}
