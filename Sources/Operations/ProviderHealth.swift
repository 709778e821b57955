import Kernel
import Synchronization

/// Whether each provider answered lately: two failures in a row make it degraded, one answer makes it whole.
final class ProviderHealth: Sendable {
    private static let degradedAfter = 2
    private let failures: Mutex<[ProviderName: Int]>

    init(providers: [ProviderName]) {
        failures = Mutex(Dictionary(providers.map { ($0, 0) }, uniquingKeysWith: { first, _ in first }))
    }

    func note(_ provider: ProviderName, reachable: Bool) {
        failures.withLock { $0[provider] = reachable ? 0 : min(($0[provider] ?? 0) + 1, Self.degradedAfter) }
    }

    func isDegraded(_ provider: ProviderName) -> Bool {
        failures.withLock { ($0[provider] ?? 0) >= Self.degradedAfter }
    }

    /// Each provider, and whether it answers.
    var snapshot: [ProviderName: Bool] { failures.withLock { $0.mapValues { $0 < Self.degradedAfter } } }
}
