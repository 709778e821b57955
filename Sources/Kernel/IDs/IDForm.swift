/// The form of the ids of one database.
///
/// In memory, and everywhere outside the server, an id has its outside form. Only Storage uses the stored form, where it
/// binds and reads the columns of ids. So tokens, JSON, pages, mails, commands and logs need no step of their own, and
/// can't forget it.
package enum IDForm: Sendable {
    /// Version 7, in the order of time, which suits SQLite's one writer.
    ///
    /// Both forms are the same.
    case ordered
    /// Version 8, which lets the units of many PostgreSQL connections insert in different places.
    case bucketed(IDMask)

    /// Makes an id of that kind, in its outside form.
    ///
    /// `bucket`: `nil` for a random one. The ordered form has none.
    ///
    /// `random`: 16 bytes.
    func make(_ kind: IDKind, at time: Instant, in bucket: () -> Bucket?, random: [UInt8]) -> UUIDBits {
        switch self {
        case .ordered: return UUIDBits(version7: time, random: random)
        case .bucketed(let mask):
            // The id itself takes no bit of the first bytes.
            let bucket = bucket() ?? Bucket(firstBitsOf: UUIDBits(version4: random).high)
            return mask.apply(to: UUIDBits(version8: time, bucket: bucket, random: random), kind)
        }
    }

    /// Returns the other form of an id: the stored one of an outside one, and the outside one of a stored one.
    package func exchanged(_ bits: UUIDBits, _ kind: IDKind) -> UUIDBits {
        switch self {
        case .ordered: bits
        case .bucketed(let mask): mask.apply(to: bits, kind)
        }
    }

    /// Returns the bucket of an id.
    package func bucket<ID: EntityID>(of id: ID) -> Bucket { exchanged(id.bits, ID.kind).bucket }
}
