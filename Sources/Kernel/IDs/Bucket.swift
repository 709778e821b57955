/// One of 1,024 places over which the ids of a PostgreSQL database are spread (ADR 20).
///
/// All that belongs to an account is in the account's bucket.
package struct Bucket: Hashable, Sendable {
    package static let count = 1024

    /// From 0 to 1,023.
    package let number: UInt64

    /// Takes the first ten bits of a word.
    package init(firstBitsOf word: UInt64) { number = word >> 54 }

    /// Takes the first ten bits of a digest.
    package init(_ digest: Digest256) { self.init(firstBitsOf: digest.prefixWord) }
}
