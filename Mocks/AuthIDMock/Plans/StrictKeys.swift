/// Any key of a map, to find the ones that nobody reads.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// The map at this place.
    ///
    /// Throws `DecodingError` for a key that `Keys` does not have: a typo must not be a default.
    func strictContainer<Keys: CodingKey & CaseIterable>(_ keys: Keys.Type) throws -> KeyedDecodingContainer<Keys> {
        let known = Keys.allCases.map(\.stringValue)
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath,
                    debugDescription:
                        "unknown key \"\(key.stringValue)\". Known keys are \(known.joined(separator: ", "))"
                )
            )
        }
        return try container(keyedBy: keys)
    }
}

extension KeyedDecodingContainer {
    /// Milliseconds between 0 and a day; `nil` when the key is absent.
    func milliseconds(_ key: Key) throws -> Duration? {
        guard let value = try decodeIfPresent(Int.self, forKey: key) else { return nil }
        guard (0...86_400_000).contains(value) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "\(value) is not between 0 and 86400000 ms"
            )
        }
        return .milliseconds(value)
    }

    /// One of the values of a closed list; the error names them all.
    func named<Value: RawRepresentable & CaseIterable>(_ type: Value.Type, _ key: Key) throws -> Value
    where Value.RawValue == String {
        let text = try decode(String.self, forKey: key)
        guard let value = Value(rawValue: text) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "\"\(text)\" must be one of \(known)"
            )
        }
        return value
    }
}
