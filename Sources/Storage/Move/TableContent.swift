import Crypto
import Kernel

/// What a table holds, to compare it with the same table in another database.
package struct TableContent: Sendable, Equatable {
    package let rows: Int
    /// The SHA-256 of all values of all rows, in the order of their keys.
    let digest: Digest256
}

/// The digest of rows, in which each value has its type and its length, so that no two lists of rows look alike.
struct ContentDigest {
    private var hash = SHA256()
    private var rows = 0

    mutating func take(_ row: [ColumnValue]) {
        var bytes: [UInt8] = []
        for value in row { Self.append(value, to: &bytes) }
        hash.update(data: bytes)
        rows += 1
    }

    func finished() -> TableContent { TableContent(rows: rows, digest: Digest256(hash.finalize())) }

    private static func append(_ value: ColumnValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            append(number, to: &bytes)
        case .text(let text): append(text.utf8, as: 2, to: &bytes)
        case .uuid(let bits), .id(let bits, _): append(bits.description.utf8, as: 2, to: &bytes)
        case .ids(let list, _): append(list.json.utf8, as: 2, to: &bytes)
        case .digest(let digest): append(digest.bytes, as: 3, to: &bytes)
        case .bytes(let blob): append(blob, as: 3, to: &bytes)
        }
    }

    private static func append(_ content: some Collection<UInt8>, as type: UInt8, to bytes: inout [UInt8]) {
        bytes.append(type)
        append(Int64(content.count), to: &bytes)
        bytes.append(contentsOf: content)
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
