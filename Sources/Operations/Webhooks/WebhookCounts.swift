import Kernel
import Synchronization

/// The counts of webhooks by outcome, since the start.
package final class WebhookCounts: Sendable {
    private let counts = Mutex<[ProviderName: [WebhookOutcome: Int]]>([:])
    private let unknown = Mutex(0)

    package init() {}

    /// The counts by configured provider.
    package var snapshot: [ProviderName: [WebhookOutcome: Int]] { counts.withLock { $0 } }

    /// The number of webhooks for an unknown provider, or for a provider without webhooks.
    package var unknownProvider: Int { unknown.withLock { $0 } }

    /// Counts an outcome and returns its count.
    @discardableResult
    func add(_ outcome: WebhookOutcome, _ provider: ProviderName) -> Int {
        counts.withLock { counts in
            counts[provider, default: [:]][outcome, default: 0] += 1
            return counts[provider]?[outcome] ?? 0
        }
    }

    func addUnknown() { unknown.withLock { $0 += 1 } }
}
