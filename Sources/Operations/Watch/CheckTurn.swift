package import Kernel

/// The limits of one status check: its slot, and how long it may take.
package struct CheckTurn: Sendable, Equatable {
    /// The kind of slot that a check takes among a provider's concurrent checks.
    package enum Slot: Sendable, Equatable {
        /// The check may take the full time of a call, including retries.
        case long
        /// The check gets a short time, because others wait. Without an answer by then, the scan gets a long slot next.
        case quick
        /// One of the last checks before a deadline. It gets a short time, and bypasses the circuit breaker.
        case final
    }

    package let slot: Slot
    /// Whether the scan's last check got no usable answer, so that the result says little about the provider.
    package let isSuspect: Bool
    /// The latest end of the check: for a final one, the operation's deadline, which the check may outlast.
    package let end: Uptime?

    package init(_ slot: Slot, isSuspect: Bool = false, end: Uptime? = nil) {
        self.slot = slot
        self.isSuspect = isSuspect
        self.end = end
    }

    /// A check without special limits.
    package static let usual = CheckTurn(.long)
}

extension FaceProvider {
    /// Ignores the limits, for adapters that make every check in the same way.
    package func check(_ reference: ProviderReference, as turn: CheckTurn) async throws(ProviderError) -> ScanStatus {
        try await check(reference)
    }
}
