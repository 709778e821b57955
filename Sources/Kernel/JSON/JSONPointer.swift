/// A place in a JSON document (RFC 6901).
package struct JSONPointer: Sendable, Equatable {
    private static let longest = 512
    private static let deepest = 32

    /// The pointer as it was written.
    package let text: String
    /// The tokens with `~1` and `~0` undone.
    package let tokens: [String]

    /// The whole document.
    package static let root = JSONPointer(text: "", tokens: [])

    private init(text: String, tokens: [String]) {
        self.text = text
        self.tokens = tokens
    }

    /// Reads `""` or `/a/b/0`; `nil` for anything else.
    package init?(_ text: String) {
        guard !text.isEmpty else {
            self = .root
            return
        }
        guard text.hasPrefix("/"), text.utf8.count <= Self.longest else { return nil }
        var tokens: [String] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard !part.replacing("~0", with: "").replacing("~1", with: "").contains("~") else { return nil }
            // RFC 6901 §4: first ~1, then ~0, so that ~01 becomes ~1.
            tokens.append(String(part.replacing("~1", with: "/").replacing("~0", with: "~")))
        }
        guard tokens.count <= Self.deepest else { return nil }
        self.init(text: text, tokens: tokens)
    }

    /// Returns the value at the pointer; `nil` if there is none.
    package func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for token in tokens {
            switch value {
            case .object(let members):
                guard let member = members[token] else { return nil }
                value = member
            case .array(let elements):
                // RFC 6901 §4: digits without leading zeros.
                guard let index = Int(token), String(index) == token, elements.indices.contains(index) else {
                    return nil
                }
                value = elements[index]
            case .null, .bool, .number, .string: return nil
            }
        }
        return value
    }
}
