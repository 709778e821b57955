/// A 256-bit digest or key as four machine words: no heap, so that caches of a hundred thousand of them stay small.
///
/// `==` and `hash` are for digests of high-entropy secrets, where a timing difference reveals nothing about the secret.
/// Compare other digests with ``matches(_:)``.
package struct Digest256: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Returns `nil` unless there are exactly 32 bytes.
    package init?(_ bytes: some Sequence<UInt8>) { self.init(Array(bytes)) }

    /// Returns `nil` unless there are exactly 32 bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32 else { return nil }
        self.init(exactly: bytes)
    }

    /// Copies bytes whose type guarantees their number.
    ///
    /// - Precondition: There are exactly 32 bytes.
    init(exactly bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 32, "a digest has 32 bytes")
        words = (
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
        )
    }

    /// Returns `nil` unless there are exactly 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard let digest = bytes.withUnsafeBytes({ Digest256($0) }) else { return nil }
        self = digest
    }

    /// The 32 bytes in network order.
    package var bytes: [UInt8] { withBytes { Array($0) } }

    /// Passes the 32 bytes in network order, which are on the stack and end with the call.
    package func withBytes<T>(_ read: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let bytes = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
        return try withUnsafeBytes(of: bytes, read)
    }

    /// Constant-time equality.
    package func matches(_ other: Digest256) -> Bool {
        let difference =
            (words.0 ^ other.words.0) | (words.1 ^ other.words.1) | (words.2 ^ other.words.2)
            | (words.3 ^ other.words.3)
        return difference == 0
    }

    /// A well-mixed word of the digest, which picks a shard.
    package var prefixWord: UInt64 { words.0 }

    package static func == (left: Digest256, right: Digest256) -> Bool { left.matches(right) }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.3)
    }
}

extension Digest256 {
    /// All bits zero: the digest of nothing.
    package static let zero = Digest256(words: (0, 0, 0, 0))

    private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }
}
