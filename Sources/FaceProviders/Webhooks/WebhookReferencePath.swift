import FoundationEssentials

/// Where in a webhook's body the scan's id stands: a JSON pointer (RFC 6901).
package struct WebhookReferencePath: Sendable, Equatable {
    /// The tokens with `~1` and `~0` undone.
    package let tokens: [String]

    /// The whole document.
    package static let root = WebhookReferencePath(tokens: [])

    private init(tokens: [String]) { self.tokens = tokens }

    /// Reads `""` or `/a/b/0`; `nil` for anything else.
    package init?(_ text: String) {
        guard !text.isEmpty else {
            self = .root
            return
        }
        guard text.hasPrefix("/"), text.utf8.count <= 512 else { return nil }
        var tokens: [String] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            var rest = part.replacing("~0", with: "").replacing("~1", with: "")
            guard !rest.contains("~") else { return nil }
            // RFC 6901 §4: first ~1, then ~0, so that ~01 becomes ~1.
            rest = part.replacing("~1", with: "/").replacing("~0", with: "~")
            tokens.append(String(rest))
        }
        guard tokens.count <= 32 else { return nil }
        self.init(tokens: tokens)
    }

    /// The text or whole number at this place, if it could be an id: 1 to 256 bytes.
    package func text(in json: [UInt8]) -> String? {
        let decoder = JSONDecoder()
        guard let key = Self.tokensKey else { return nil }
        decoder.userInfo[key] = tokens
        guard let found = try? decoder.decode(Found.self, from: Data(json)) else { return nil }
        return (1...256).contains(found.text.utf8.count) ? found.text : nil
    }

    private static let tokensKey = CodingUserInfoKey(rawValue: "tokens")

    /// Goes down to the place as it is decoded; everything beside the way is never looked at.
    private struct Found: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            var decoder = decoder
            let tokens = WebhookReferencePath.tokensKey.flatMap { decoder.userInfo[$0] as? [String] } ?? []
            for token in tokens { decoder = try Self.step(into: token, decoder) }
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self.text = text
            } else {
                text = String(try value.decode(Int64.self))
            }
        }

        private static func step(into token: String, _ decoder: any Decoder) throws -> any Decoder {
            if let map = try? decoder.container(keyedBy: Key.self) { return try map.superDecoder(forKey: Key(token)) }
            var list = try decoder.unkeyedContainer()
            // RFC 6901 §4: digits without leading zeros.
            guard let index = Int(token), index >= 0, String(index) == token, index < list.count ?? 0 else {
                throw DecodingError.dataCorruptedError(in: list, debugDescription: "no such element")
            }
            for _ in 0..<index { _ = try list.superDecoder() }
            return try list.superDecoder()
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}
