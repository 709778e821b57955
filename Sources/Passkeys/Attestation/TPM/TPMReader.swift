/// Reads the big-endian structures of a TPM (TPM 2.0 Library, part 2), and returns `nil` at a read past the end.
struct TPMReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func uint16() -> UInt16? {
        bytes(2).map { $0.reduce(0) { $0 << 8 | UInt16($1) } }
    }

    mutating func uint32() -> UInt32? {
        bytes(4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Reads a TPM2B: two bytes of length and as many bytes.
    mutating func sized() -> [UInt8]? {
        guard let count = uint16() else { return nil }
        return bytes(Int(count))
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
