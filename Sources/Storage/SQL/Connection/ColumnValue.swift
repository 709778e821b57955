import Kernel

/// A value of a column: ids as texts, digests as 32 bytes, and instants as milliseconds since 1970.
enum ColumnValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    /// The dashed text form, bound without creating a string.
    case uuid(UUIDBits)
    /// An id in its outside form. An engine binds its stored form, as text.
    case id(UUIDBits, IDKind)
    /// Ids in their outside form, as one JSON array.
    case ids([UUIDBits], IDKind)
    case digest(Digest256)
    case bytes([UInt8])
}

extension EntityID {
    var column: ColumnValue { .id(bits, Self.kind) }
}

extension UUIDBits {
    var column: ColumnValue { .uuid(self) }
}

extension Digest256 {
    var column: ColumnValue { .digest(self) }
}

extension Instant {
    var column: ColumnValue { .integer(milliseconds) }
}

extension String {
    var column: ColumnValue { .text(self) }
}

extension BinaryInteger {
    var column: ColumnValue { .integer(Int64(self)) }
}

extension Bool {
    var column: ColumnValue { .integer(self ? 1 : 0) }
}

extension Collection {
    /// A placeholder for each value, for `IN (…)`.
    ///
    /// No space is between them, by which a statement with a list of any length is known (``Swift/String/hasListOfAnyLength``).
    var placeholders: String { map { _ in "?" }.joined(separator: ",") }
}

extension String {
    /// Whether a statement has ``Swift/Collection/placeholders`` for several values, so that there are many texts of it.
    var hasListOfAnyLength: Bool { contains("?,?") }
}

extension Optional where Wrapped: EntityID {
    /// The id, or a text before every id.
    var columnOrEmpty: ColumnValue { map(\.column) ?? .text("") }
}

extension Collection where Element: EntityID {
    /// The ids as one JSON array, whose elements ``SQLConnection/elements(of:)`` selects.
    var column: ColumnValue { .ids(map(\.bits), Element.kind) }
}

extension Collection<UUIDBits> {
    /// A JSON array of the dashed forms.
    var json: String { "[\(map { #""\#($0)""# }.joined(separator: ","))]" }
}

extension Optional {
    func column(_ encode: (Wrapped) -> ColumnValue) -> ColumnValue { map(encode) ?? .null }
}
