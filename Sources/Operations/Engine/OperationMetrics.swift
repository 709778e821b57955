package import CoreMetrics
import Kernel
import Synchronization

/// The metrics of the engine, through the swift-metrics API.
///
/// Every series is created here once: its label values are cases of this project's enums.
package final class OperationMetrics: Sendable {
    private let transitions: [OperationState.Name: Counter]
    private let failures: [FailureCode: Counter]
    private let approvedAfter: CoreMetrics.Timer
    private let rejectedAfter: CoreMetrics.Timer
    private let watcherLag: CoreMetrics.Timer

    package init(_ factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        transitions = Self.table { name in
            Counter(
                label: "vestibule_operation_transitions_total",
                dimensions: [("state", name.rawValue)],
                factory: factory
            )
        }
        failures = Self.table { code in
            Counter(
                label: "vestibule_operation_failures_total",
                dimensions: [("code", code.rawValue)],
                factory: factory
            )
        }
        let verdict = { (name: String) in
            CoreMetrics.Timer(
                label: "vestibule_operation_verdict_seconds",
                dimensions: [("verdict", name)],
                factory: factory
            )
        }
        approvedAfter = verdict("approved")
        rejectedAfter = verdict("rejected")
        watcherLag = CoreMetrics.Timer(label: "vestibule_watcher_lag_seconds", factory: factory)
    }

    /// Counts a login that began.
    func began() { transitions[.created]?.increment() }

    /// Counts a transition that was written.
    func moved(_ next: Operation, from old: Operation, at now: Instant) {
        // Progress and a scan that is started over stay in their state.
        guard next.state.name != old.state.name else { return }
        transitions[next.state.name]?.increment()
        let age = now - next.validity.createdAt
        switch next.state {
        case .approved: approvedAfter.recordNanoseconds(age.wholeNanoseconds)
        case .failed(let code, _):
            failures[code]?.increment()
            let isNumber = next.binding.wrongNumbers == OperationBinding.maximumWrongNumbers
            if code.isVerdict, !isNumber { rejectedAfter.recordNanoseconds(age.wholeNanoseconds) }
        case .closed where old.state.name == .pending: approvedAfter.recordNanoseconds(age.wholeNanoseconds)
        case .created, .opened, .pending, .redeemed, .closed: break
        }
    }

    /// Records how long after its due time a check begins.
    func checkBegan(late lag: Duration) { watcherLag.recordNanoseconds(lag.wholeNanoseconds) }

    private static func table<Key: CaseIterable & Hashable>(_ make: (Key) -> Counter) -> [Key: Counter] {
        Dictionary(Key.allCases.map { ($0, make($0)) }, uniquingKeysWith: { first, _ in first })
    }
}

extension FailureCode {
    /// Whether the provider's judgement of the person made it fail.
    fileprivate var isVerdict: Bool {
        switch self {
        case .declined, .notMatched, .livenessFailed, .tooManyAttempts: true
        case .deniedNotMe, .expired, .canceled, .superseded, .providerError, .providerUnavailable, .accountBlocked:
            false
        }
    }
}

extension OperationCache {
    /// How many operations are in the cache, by state; a scrape walks every one, a shard at a time.
    package var countsByState: [OperationState.Name: Int] {
        allShards.reduce(into: [:]) { counts, shard in
            shard.entries.withLock { entries in
                for entry in entries.values { counts[entry.card.operation.state.name, default: 0] += 1 }
            }
        }
    }
}
