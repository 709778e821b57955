/// Reads DER (X.690 §10.1): definite and shortest lengths only, element by element.
struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads the contents of the next element; `nil` unless it has that tag and is complete.
    mutating func element(_ tag: UInt8) -> ArraySlice<UInt8>? {
        guard rest.popFirst() == tag, let length = length(), length <= rest.count else { return nil }
        let contents = rest.prefix(length)
        rest = rest.dropFirst(length)
        return contents
    }

    /// Reads a positive whole number in its shortest form, without the byte that marks it as positive.
    mutating func positiveInteger() -> [UInt8]? {
        guard let contents = element(0x02), let first = contents.first else { return nil }
        guard first == 0 else { return first < 0x80 ? Array(contents) : nil }
        guard let second = contents.dropFirst().first, second >= 0x80 else { return nil }
        return Array(contents.dropFirst())
    }

    private mutating func length() -> Int? {
        guard let first = rest.popFirst() else { return nil }
        guard first >= 0x80 else { return Int(first) }
        // Two bytes of length are enough for every accepted key.
        let count = Int(first & 0x7F)
        guard (1...2).contains(count), rest.count >= count else { return nil }
        let length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(count)
        guard length >= 0x80, count == 1 || length > 0xFF else { return nil }
        return length
    }
}
