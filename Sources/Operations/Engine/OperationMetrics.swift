package import CoreMetrics
import Kernel
import Synchronization

/// The metrics of the engine, through the swift-metrics API.
///
/// Every series is created here once, because its label values are cases of enums in this codebase.
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

    /// Counts an operation that began.
    func began() { transitions[.created]?.increment() }

    /// Counts a transition that was written to the database.
    func moved(_ next: Operation, from old: Operation, at now: Instant) {
        // The state stays the same when a scan progresses or is started over.
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

    /// Records the delay between a check's due time and its start.
    func checkBegan(late lag: Duration) { watcherLag.recordNanoseconds(lag.wholeNanoseconds) }

    private static func table<Key: CaseIterable & Hashable>(_ make: (Key) -> Counter) -> [Key: Counter] {
        Dictionary(Key.allCases.map { ($0, make($0)) }, uniquingKeysWith: { first, _ in first })
    }
}

extension FailureCode {
    /// Whether the provider's verdict about the person is the reason of the failure.
    fileprivate var isVerdict: Bool {
        switch self {
        case .declined, .notMatched, .livenessFailed, .tooManyAttempts: true
        case .deniedNotMe, .expired, .canceled, .superseded, .providerError, .providerUnavailable, .accountBlocked:
            false
        }
    }
}

extension OperationCache {
    /// The number of operations in the cache, by state, counted one shard at a time.
    package var countsByState: [OperationState.Name: Int] {
        allShards.reduce(into: [:]) { counts, shard in
            shard.entries.withLock { entries in
                for entry in entries.all { counts[entry.card.operation.state.name, default: 0] += 1 }
            }
        }
    }
}
