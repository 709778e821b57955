import Kernel
import Synchronization

/// Whether each provider answered lately: two failures in a row make it degraded, one answer makes it whole.
final class ProviderHealth: Sendable {
    private static let degradedAfter = 2
    private let failures: Mutex<[ProviderName: Int]>
    /// Whether any provider is degraded: every poll asks, and mostly none is.
    private let isAnyDegraded = Atomic<Bool>(false)

    init(providers: [ProviderName]) {
        failures = Mutex(Dictionary(providers.map { ($0, 0) }, uniquingKeysWith: { first, _ in first }))
    }

    func note(_ provider: ProviderName, reachable: Bool) {
        failures.withLock { failures in
            failures[provider] = reachable ? 0 : min((failures[provider] ?? 0) + 1, Self.degradedAfter)
            isAnyDegraded.store(failures.values.contains { $0 >= Self.degradedAfter }, ordering: .releasing)
        }
    }

    func isDegraded(_ provider: ProviderName) -> Bool {
        guard isAnyDegraded.load(ordering: .acquiring) else { return false }
        return failures.withLock { ($0[provider] ?? 0) >= Self.degradedAfter }
    }

    /// Each provider, and whether it answers.
    var snapshot: [ProviderName: Bool] { failures.withLock { $0.mapValues { $0 < Self.degradedAfter } } }
}
