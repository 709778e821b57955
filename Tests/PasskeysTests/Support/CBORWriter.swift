@testable import Passkeys

/// Writes CBOR as it is told to: maps in the order that they have.
enum CBORWriter {
    static func bytes(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
        case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let elements): head(4, UInt64(elements.count)) + elements.flatMap(bytes)
        case .map(let map): head(5, UInt64(map.count)) + map.entries.flatMap { bytes($0.key) + bytes($0.value) }
        case .bool(let flag): [flag ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    /// An initial byte and its argument, in the shortest form.
    static func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
        let width =
            switch argument {
            case 0..<24: 0
            case 24...0xFF: 1
            case 0x100...0xFFFF: 2
            case 0x1_0000...0xFFFF_FFFF: 4
            default: 8
            }
        guard width > 0 else { return [major << 5 | UInt8(argument)] }
        let information: UInt8 = [1: 24, 2: 25, 4: 26, 8: 27][width] ?? 27
        return [major << 5 | information]
            + (0..<width).reversed().map { UInt8(truncatingIfNeeded: argument >> UInt64($0 * 8)) }
    }
}

extension CBORMap {
    /// In the canonical order.
    init(_ pairs: [(CBORValue, CBORValue)]) {
        let sorted = pairs.sorted {
            CBORWriter.bytes($0.0).lexicographicallyPrecedes(CBORWriter.bytes($1.0))
        }
        self.init(sorted.map { Entry(key: $0.0, value: $0.1) })
    }

    /// The same with another value under a label; without it for `nil`.
    func with(_ label: Int64, _ value: CBORValue?) -> CBORMap {
        var pairs = entries.filter { $0.key.integer != label }.map { ($0.key, $0.value) }
        if let value { pairs.append((CBORValue(label), value)) }
        return CBORMap(pairs)
    }
}

extension CBORValue {
    init(_ number: Int64) { self = number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number)) }
}
