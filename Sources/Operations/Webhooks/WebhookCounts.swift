import Kernel
import Synchronization

/// How many webhooks came in and what became of them, since the start.
package final class WebhookCounts: Sendable {
    private let counts = Mutex<[ProviderName: [WebhookOutcome: Int]]>([:])
    private let unknown = Mutex(0)

    package init() {}

    /// By provider; those for names that are not configured are only counted together.
    package var snapshot: [ProviderName: [WebhookOutcome: Int]] { counts.withLock { $0 } }

    /// Webhooks for a provider that there is not, or that has none.
    package var unknownProvider: Int { unknown.withLock { $0 } }

    /// Counts one and returns how many of it there are now.
    @discardableResult
    func add(_ outcome: WebhookOutcome, _ provider: ProviderName) -> Int {
        counts.withLock { counts in
            counts[provider, default: [:]][outcome, default: 0] += 1
            return counts[provider]?[outcome] ?? 0
        }
    }

    func addUnknown() { unknown.withLock { $0 += 1 } }
}
