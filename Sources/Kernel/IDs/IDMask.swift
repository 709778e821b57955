/// Hides bucket and time of version 8 ids from everybody outside the server (ADR 20).
///
/// Without it, two ids of one account would be known to belong together, and a decoy's could be told from an account's.
/// Version and random bits stay as they are, so that one step both puts the mask on and takes it off.
///
/// A class, because a prepared hash is large and every environment has the mask.
package final class IDMask: Sendable {
    private let hash: KeyedHash

    /// - Parameter key: The database's own key. It never rotates: `sub` must stay the same for ever.
    package init(key: Digest256) { hash = KeyedHash(key: key) }

    /// Puts the mask on an id of that kind, or takes it off.
    ///
    /// - Returns: The same id for every other version than 8.
    package func apply(to bits: UUIDBits, _ kind: IDKind) -> UUIDBits {
        guard bits.version == 8 else { return bits }
        let random = UUIDBits(high: bits.high & ~UUIDBits.version8Mask, low: bits.low)
        // The first 52 bits of the digest: 48 for the bits before the version, and 4 for those behind it.
        let mask = hash.digest(random.bytes, purpose: kind.rawValue).prefixWord >> 12
        return UUIDBits(high: bits.high ^ ((mask >> 4) << 16 | (mask & 0xF) << 8), low: bits.low)
    }
}

/// A kind of entity, so that equal bits of two kinds have different masks.
///
/// A raw value must never be renamed or reused: every id of its kind would look different outside.
package enum IDKind: String, Sendable, CaseIterable {
    case account
    case session
    case device
    case passkey
    case operation
    case emailCode = "email-code"
    case mail
    case card
    case payment
}
