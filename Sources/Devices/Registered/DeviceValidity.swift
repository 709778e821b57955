package import Kernel

/// The time in which a registered device or a link is valid: from its creation to its exclusive end or its revocation.
package struct DeviceValidity: Sendable, Equatable {
    package let createdAt: Instant
    package var expiresAt: Instant
    package let revokedAt: Instant?

    package init(createdAt: Instant, expiresAt: Instant, revokedAt: Instant? = nil) {
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }

    package func isLive(at now: Instant) -> Bool { revokedAt == nil && now < expiresAt }
}
