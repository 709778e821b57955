/// A JSON value as a provider sent it.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// As it is written, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

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

    /// The value of a number; `nil` for one too large to be told.
    package var number: Double? {
        guard case .number(let text) = self, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Whether it is `null`.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    private static func isWhole(_ number: String) -> Bool {
        Int64(number).map { String($0) == number } ?? false
    }
}
