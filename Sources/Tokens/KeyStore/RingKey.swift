package import Kernel

/// One key of the ring with its dates.
struct RingKey: Sendable {
    let id: KeyID
    let key: SigningKey
    let createdAt: Instant
    /// `nil` for the one key that signs.
    var retirement: Retirement?

    struct Retirement: Sendable, Equatable {
        /// When another key took over.
        let at: Instant
        /// From when on nothing that this key signed is accepted.
        let verifyUntil: Instant
    }

    init(key: SigningKey, createdAt: Instant, retirement: Retirement? = nil) {
        id = key.verificationKey.thumbprint
        self.key = key
        self.createdAt = createdAt
        self.retirement = retirement
    }

    /// Whether what it signed is accepted at `now`.
    func verifies(at now: Instant) -> Bool { retirement.map { now < $0.verifyUntil } ?? true }

    var summary: KeySummary {
        KeySummary(
            id: id,
            algorithm: key.verificationKey.algorithm,
            createdAt: createdAt,
            retiredAt: retirement?.at,
            verifiesUntil: retirement?.verifyUntil
        )
    }
}

/// What an operator may see of a key.
package struct KeySummary: Sendable, Equatable {
    package let id: KeyID
    package let algorithm: SigningAlgorithm
    package let createdAt: Instant
    /// `nil` for the key that signs now.
    package let retiredAt: Instant?
    /// From when on nothing that it signed is accepted; `nil` for the key that signs now.
    package let verifiesUntil: Instant?
}
