import Admin
package import Kernel
import Synchronization
import Telemetry

/// The last hour in minutes, from the metrics: a ring of 60 samples in memory, so that it costs no request anything.
package final class MinuteHistory: Sendable {
    /// The number of minutes that are kept.
    static let capacity = 60
    private static let interval: Duration = .seconds(60)

    private struct State {
        var minutes: [MinuteView] = []
        var last = MetricReading()
    }

    private let registry: MetricsRegistry
    private let now: @Sendable () -> Instant
    private let state = Mutex(State())

    init(_ registry: MetricsRegistry, now: @escaping @Sendable () -> Instant) {
        self.registry = registry
        self.now = now
    }

    /// The minutes, the oldest first.
    var minutes: [MinuteView] { state.withLock { $0.minutes } }

    /// Takes a sample each minute, until the task is cancelled.
    package func run(_ clock: any MonotonicClock) async {
        state.withLock { $0.last = MetricReading(registry) }
        while !Task.isCancelled {
            do { try await clock.sleep(until: clock.now + Self.interval) } catch { return }
            sample()
        }
    }

    /// Adds what happened since the last sample.
    func sample() {
        let reading = MetricReading(registry)
        let at = now().milliseconds
        state.withLock { state in
            state.minutes.append(reading.minute(since: state.last, at: at))
            state.minutes.removeFirst(max(0, state.minutes.count - Self.capacity))
            state.last = reading
        }
    }
}

/// The metrics that the history is made of, at one time.
private struct MetricReading {
    /// A provider's calls since the start.
    struct Calls {
        var all = 0
        var failures = 0
        var seconds = 0.0
    }

    /// The number of logins that came into each state.
    var transitions: [String: Int] = [:]
    var live = 0
    var waiting = 0
    var refused = 0
    var calls: [String: Calls] = [:]
    var errors: [String: Int] = [:]

    init() {}

    init(_ registry: MetricsRegistry) {
        for total in registry.totals(of: "vestibule_operation_transitions_total") {
            transitions[total.labels.first ?? "", default: 0] += Int(total.value)
        }
        for total in registry.totals(of: "vestibule_operations")
        where !["closed", "failed"].contains(total.labels.first) {
            live += Int(total.value)
        }
        waiting = Int(registry.totals(of: "vestibule_waiters_parked").first?.value ?? 0)
        refused = registry.totals(of: "vestibule_refusals_total").reduce(0) { $0 + Int($1.value) }
        let families = [
            "login": "vestibule_operation_failures_total", "database": "vestibule_store_failed_commits_total",
        ]
        for (kind, family) in families {
            for total in registry.totals(of: family) {
                errors["\(kind) \(total.labels.first ?? "")", default: 0] += Int(total.value)
            }
        }
        // The labels are the provider, the call and its outcome.
        for total in registry.totals(of: "vestibule_provider_request_seconds") where total.labels.count == 3 {
            var calls = calls[total.labels[0]] ?? Calls()
            calls.all += Int(total.value)
            calls.seconds += total.sum
            if ["unavailable", "unreadable"].contains(total.labels[2]) { calls.failures += Int(total.value) }
            self.calls[total.labels[0]] = calls
        }
    }

    /// Returns what happened since another reading.
    func minute(since last: MetricReading, at milliseconds: Int64) -> MinuteView {
        let moved = { (state: String) in max(0, transitions[state, default: 0] - last.transitions[state, default: 0]) }
        return MinuteView(
            at: milliseconds,
            logins: MinuteView.Logins(
                begun: moved("created"),
                approved: moved("approved"),
                failed: moved("failed"),
                live: live
            ),
            requests: MinuteView.Requests(waiting: waiting, refused: max(0, refused - last.refused)),
            providers: calls.sorted { $0.key < $1.key }.map { name, calls in
                let before = last.calls[name] ?? Calls()
                return ProviderMinuteView(
                    name: name,
                    calls: max(0, calls.all - before.all),
                    failures: max(0, calls.failures - before.failures),
                    milliseconds: Int64(max(0, calls.seconds - before.seconds) * 1000)
                )
            },
            errors: errors.merging(last.errors) { $0 - $1 }.filter { $0.value > 0 }
        )
    }
}
