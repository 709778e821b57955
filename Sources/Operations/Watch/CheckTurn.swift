package import Kernel

/// The bounds of one status check: its slot, and how long it may take.
package struct CheckTurn: Sendable, Equatable {
    /// A slot among the checks that a provider is asked at one time.
    package enum Slot: Sendable, Equatable {
        /// The whole time that a call may take, with its retries.
        case long
        /// A short time, because others wait: a scan that is not answered by then gets a long slot next.
        case quick
        /// A short time and no circuit in the way: the last checks before a deadline.
        case final
    }

    package let slot: Slot
    /// Whether the scan's last check got no answer: its result says little about the provider.
    package let isSuspect: Bool
    /// The latest end of the check; for a final one the deadline of its login, which it may outlast.
    package let end: Uptime?

    package init(_ slot: Slot, isSuspect: Bool = false, end: Uptime? = nil) {
        self.slot = slot
        self.isSuspect = isSuspect
        self.end = end
    }

    /// A check without special bounds.
    package static let usual = CheckTurn(.long)
}

extension FaceProvider {
    /// Asks without the bounds: adapters ask the same way every time.
    package func check(_ reference: ProviderReference, as turn: CheckTurn) async throws(ProviderError) -> ScanStatus {
        try await check(reference)
    }
}
