import Kernel

// The words of a provider's answer that a table can name, or that can be an id.
extension JSONValue {
    /// A text, a whole number or a truth value in words; `nil` for anything that no table could name.
    package var word: String? {
        switch self {
        case .string(let text): text
        case .number(let text): Self.isWhole(text) ? text : nil
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// A text or whole number of 1 to 256 bytes: what an id can be.
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
