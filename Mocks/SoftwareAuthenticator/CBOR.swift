/// Encodes CBOR (RFC 8949 §3) with arguments below 65,536, in the shortest form.
enum CBOR {
    static func text(_ text: String) -> [UInt8] { head(0x60, text.utf8.count) + Array(text.utf8) }

    static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(0x40, bytes.count) + bytes }

    static func number(_ number: Int) -> [UInt8] { number < 0 ? head(0x20, -1 - number) : head(0, number) }

    /// Encodes a map of encoded keys and values, in the given order.
    static func map(_ entries: [(key: [UInt8], value: [UInt8])]) -> [UInt8] {
        head(0xA0, entries.count) + entries.flatMap { $0.key + $0.value }
    }

    /// Encodes the major type and the argument.
    private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
        switch count {
        case ..<24: [kind | UInt8(count)]
        case ..<0x100: [kind | 24, UInt8(count)]
        default: [kind | 25, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        }
    }
}
