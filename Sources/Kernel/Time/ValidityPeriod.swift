/// The time in which a stored value is valid: from its creation to its exclusive end.
package struct ValidityPeriod: Sendable, Equatable {
    package let createdAt: Instant
    package var expiresAt: Instant

    package init(createdAt: Instant, expiresAt: Instant) {
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
