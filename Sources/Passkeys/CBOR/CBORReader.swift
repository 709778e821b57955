/// Reads the CBOR of WebAuthn: definite and shortest lengths, at most four levels of arrays and maps.
///
/// Duplicate keys, tags and floating-point numbers are refused. With duplicate keys, two readers could take different
/// values from the same bytes. Memory grows only with the sent bytes: a count is checked against the bytes that follow.
package struct CBORReader {
    /// The accepted order of a map's keys.
    package enum KeyOrder: Sendable {
        /// The canonical order of CTAP2 (FIDO CTAP 2.1 §8), which WebAuthn L3 §6.5.1.1 demands of public keys.
        case canonical
        /// Any order, for attestation objects and their statements. WebAuthn L3 §6.5.4 demands the canonical order here
        /// too, but some authenticators in the field (Windows Hello of 2018, IBM's) don't keep it.
        case any
    }

    /// The most bytes of an input, far more than any attestation with its certificates has.
    package static let maximumLength = 65_536
    /// The most levels of arrays and maps.
    package static let maximumDepth = 4

    private let bytes: [UInt8]
    private let keyOrder: KeyOrder
    private var position: Int

    private init(_ bytes: [UInt8], from start: Int, _ keyOrder: KeyOrder) {
        self.bytes = bytes
        self.keyOrder = keyOrder
        position = start
    }

    /// The one item that `bytes` must be.
    package static func read(_ bytes: [UInt8], keys: KeyOrder = .canonical) throws(CBORError) -> CBORValue {
        let (value, end) = try readFirst(bytes, from: 0, keys: keys)
        guard end == bytes.count else { throw .trailingBytes }
        return value
    }

    /// Reads the item that begins at `start`, and returns it with its end; bytes behind the item are not read.
    package static func readFirst(
        _ bytes: [UInt8],
        from start: Int,
        keys: KeyOrder = .canonical
    ) throws(CBORError) -> (value: CBORValue, end: Int) {
        guard bytes.count <= maximumLength else { throw .tooLong }
        var reader = CBORReader(bytes, from: start, keys)
        let value = try reader.item(depth: 0)
        return (value, reader.position)
    }

    private mutating func item(depth: Int) throws(CBORError) -> CBORValue {
        guard position < bytes.count else { throw .truncated }
        let initial = bytes[position]
        position += 1
        let information = initial & 0x1F
        switch initial >> 5 {
        case 0: return .unsigned(try argument(information))
        case 1: return .negative(try argument(information))
        case 2: return .bytes(Array(try string(information)))
        case 3: return .text(try text(information))
        case 4: return .array(try elements(information, depth: depth + 1))
        case 5: return .map(try entries(information, depth: depth + 1))
        case 6: throw .unsupported
        default: return try simple(information)
        }
    }

    /// Reads the number that an initial byte announces, which must have its shortest form (RFC 8949 §3, §4.2.1).
    private mutating func argument(_ information: UInt8) throws(CBORError) -> UInt64 {
        switch information {
        case 0..<24: return UInt64(information)
        case 24: return try number(bytes: 1, least: 24)
        case 25: return try number(bytes: 2, least: 0x100)
        case 26: return try number(bytes: 4, least: 0x1_0000)
        case 27: return try number(bytes: 8, least: 0x1_0000_0000)
        case 31: throw .indefiniteLength
        default: throw .unsupported
        }
    }

    private mutating func number(bytes count: Int, least: UInt64) throws(CBORError) -> UInt64 {
        guard bytes.count - position >= count else { throw .truncated }
        var number: UInt64 = 0
        for offset in 0..<count { number = number << 8 | UInt64(bytes[position + offset]) }
        position += count
        guard number >= least else { throw .notShortest }
        return number
    }

    private mutating func string(_ information: UInt8) throws(CBORError) -> ArraySlice<UInt8> {
        let length = try count(information, bytesEach: 1)
        let start = position
        position += length
        return bytes[start..<position]
    }

    private mutating func text(_ information: UInt8) throws(CBORError) -> String {
        guard let text = String(validating: try string(information), as: UTF8.self) else { throw .invalidText }
        return text
    }

    private mutating func elements(_ information: UInt8, depth: Int) throws(CBORError) -> [CBORValue] {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        let count = try count(information, bytesEach: 1)
        var elements: [CBORValue] = []
        for _ in 0..<count { elements.append(try item(depth: depth)) }
        return elements
    }

    private mutating func entries(_ information: UInt8, depth: Int) throws(CBORError) -> CBORMap {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        let count = try count(information, bytesEach: 2)
        var entries: [CBORMap.Entry] = []
        var previous: ArraySlice<UInt8> = []
        // Only the shortest encoding of a key is accepted, so equal keys have equal bytes.
        var seen: Set<ArraySlice<UInt8>> = []
        for _ in 0..<count {
            let start = position
            let key = try key()
            let encoded = bytes[start..<position]
            guard encoded != previous else { throw .duplicateKey }
            switch keyOrder {
            case .canonical:
                // The order of CTAP2 is that of the encoded keys: first the kind, then the length.
                guard previous.lexicographicallyPrecedes(encoded) else { throw .keyOrder }
            case .any:
                guard seen.insert(encoded).inserted else { throw .duplicateKey }
            }
            previous = encoded
            entries.append(CBORMap.Entry(key: key, value: try item(depth: depth)))
        }
        return CBORMap(entries)
    }

    private mutating func key() throws(CBORError) -> CBORValue {
        // A key is never an array or a map, so the depth does not grow.
        guard position < bytes.count else { throw .truncated }
        guard [0, 1, 3].contains(bytes[position] >> 5) else { throw .keyType }
        return try item(depth: 0)
    }

    private mutating func simple(_ information: UInt8) throws(CBORError) -> CBORValue {
        switch information {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        default: throw .unsupported
        }
    }

    /// Reads a count of elements, and checks that at least `bytesEach` bytes follow for each.
    private mutating func count(_ information: UInt8, bytesEach: Int) throws(CBORError) -> Int {
        let count = try argument(information)
        guard count <= UInt64((bytes.count - position) / bytesEach) else { throw .truncated }
        return Int(count)
    }
}
