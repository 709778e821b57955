import Kernel

/// The values of a statement in the binary format of the protocol: int8 big-endian, text as UTF-8, bytea as it is.
struct PostgresParameters {
    private var bytes: [UInt8] = []
    /// Where each value is in `bytes`; `nil` for NULL.
    private var ranges: [Range<Int>?] = []

    /// `ids`: The form of ids, of which the stored one is bound.
    ///
    /// - Throws: ``PostgresError/refused(cause:)`` for a text with U+0000, which PostgreSQL can't hold.
    init(_ values: [ColumnValue], _ ids: IDForm) throws(PostgresError) {
        ranges.reserveCapacity(values.count)
        for value in values {
            let start = bytes.count
            let isNull = try !append(value, ids)
            ranges.append(isNull ? nil : start..<bytes.count)
        }
        // An empty value needs an address too, or it would be NULL.
        bytes.append(0)
    }

    var count: Int { ranges.count }

    /// Passes the arrays that libpq takes: addresses, lengths, and formats (1 is binary).
    func withPointers<T>(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> T
    ) -> T {
        let lengths = ranges.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: ranges.count)
        return bytes.withUnsafeBytes { buffer in
            let characters = buffer.bindMemory(to: CChar.self)
            let addresses = ranges.map { range in range.flatMap { characters.baseAddress?.advanced(by: $0.lowerBound) }
            }
            return body(addresses, lengths, formats)
        }
    }

    /// Returns whether there is a value: `false` for NULL.
    private mutating func append(_ value: ColumnValue, _ ids: IDForm) throws(PostgresError) -> Bool {
        switch value {
        case .null: return false
        case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let text):
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            guard !bytes[start...].contains(0) else {
                throw .refused(cause: "a text contains U+0000, which PostgreSQL can't hold")
            }
        case .uuid(let bits): append(bits)
        case .id(let bits, let kind): append(ids.exchanged(bits, kind))
        case .ids(let list, let kind): bytes.append(contentsOf: list.map { ids.exchanged($0, kind) }.json.utf8)
        case .digest(let digest): bytes.append(contentsOf: digest.bytes)
        case .bytes(let blob): bytes.append(contentsOf: blob)
        }
        return true
    }

    private mutating func append(_ bits: UUIDBits) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
            bits.write(to: buffer)
            bytes.append(contentsOf: buffer)
        }
    }
}
