import Kernel
import Synchronization

/// Whether each provider has answered recently.
///
/// Two failures in a row make it degraded, and one answer makes it healthy.
///
/// Failures also expire, because an idle daemon makes no calls and must not report a provider as degraded forever.
final class ProviderHealth: Sendable {
    /// How long the last failure counts.
    static let failuresCountFor: Duration = .seconds(30)
    private static let degradedAfter = 2

    /// The providers that an operator has paused.
    let paused: PausedProviders
    private let clock: any MonotonicClock
    private let failures: Mutex<[ProviderName: Failures]>
    /// Whether any provider may be degraded: a quick check for polls, since usually none is.
    private let mayBeDegraded = Atomic<Bool>(false)

    init(providers: [ProviderName], clock: any MonotonicClock) {
        self.clock = clock
        paused = PausedProviders(clock: clock)
        failures = Mutex(Dictionary(providers.map { ($0, Failures()) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Notes the result of a call.
    ///
    /// `isCutOff`: Whether the provider's circuit is open, so that one failure is enough.
    ///
    /// - Returns: Whether the provider's health changed.
    @discardableResult
    func note(_ provider: ProviderName, reachable: Bool, isCutOff: Bool = false) -> Bool {
        let now = clock.now
        return failures.withLock { failures in
            let wasDegraded = failures[provider]?.isDegraded(at: now) ?? false
            let before = isCutOff ? Self.degradedAfter : failures[provider]?.count(at: now) ?? 0
            failures[provider] =
                reachable ? Failures() : Failures(inARow: min(before + 1, Self.degradedAfter), last: now)
            mayBeDegraded.store(failures.values.contains { $0.isDegraded(at: now) }, ordering: .releasing)
            return wasDegraded != (failures[provider]?.isDegraded(at: now) ?? false)
        }
    }

    func isDegraded(_ provider: ProviderName) -> Bool {
        guard mayBeDegraded.load(ordering: .acquiring) else { return false }
        let now = clock.now
        return failures.withLock { failures in
            mayBeDegraded.store(failures.values.contains { $0.isDegraded(at: now) }, ordering: .releasing)
            return failures[provider]?.isDegraded(at: now) ?? false
        }
    }

    /// Whether each provider is healthy.
    var snapshot: [ProviderName: Bool] {
        let now = clock.now
        return failures.withLock { $0.mapValues { !$0.isDegraded(at: now) } }
    }

    private struct Failures {
        var inARow = 0
        var last = Uptime(nanoseconds: 0)

        func count(at now: Uptime) -> Int { now - last < ProviderHealth.failuresCountFor ? inARow : 0 }
        func isDegraded(at now: Uptime) -> Bool { count(at: now) >= ProviderHealth.degradedAfter }
    }
}
