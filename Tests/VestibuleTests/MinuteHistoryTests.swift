import CoreMetrics
import Kernel
import Telemetry
import Testing

@testable import Admin
@testable import Assembly

/// The minutes of the last hour, for operators.
struct MinuteHistoryTests {
    @Test func `each minute has what happened in it, and the hour no more than sixty`() {
        let registry = MetricsRegistry(MetricCatalogue.families)
        let history = MinuteHistory(registry, now: { Instant(seconds: 60) })
        let begun = Counter(
            label: "vestibule_operation_transitions_total",
            dimensions: [("state", "created")],
            factory: registry
        )
        let calls = CoreMetrics.Timer(
            label: "vestibule_provider_request_seconds",
            dimensions: [("provider", "mock"), ("call", "check"), ("outcome", "unavailable")],
            factory: registry
        )
        registry.read("vestibule_operations") {
            [MetricSample(3, labels: ["pending"]), MetricSample(9, labels: ["closed"])]
        }
        let failed = Counter(
            label: "vestibule_operation_failures_total",
            dimensions: [("code", "provider_error")],
            factory: registry
        )
        registry.read("vestibule_store_failed_commits_total") { [MetricSample(2, labels: ["full"])] }
        failed.increment(by: 4)
        begun.increment(by: 5)
        calls.recordNanoseconds(250_000_000)
        history.sample()
        begun.increment(by: 2)
        history.sample()
        #expect(history.minutes.map(\.logins.begun) == [5, 2])
        #expect(history.minutes.map(\.logins.live) == [3, 3])
        #expect(history.minutes[0].at == 60_000)
        let provider = ProviderMinuteView(name: "mock", calls: 1, failures: 1, milliseconds: 250)
        #expect(history.minutes[0].providers == [provider])
        #expect(history.minutes[1].providers.map(\.calls) == [0])
        #expect(history.minutes[0].errors == ["login provider_error": 4, "database full": 2])
        #expect(history.minutes[1].errors == [:])
        for _ in 1...70 { history.sample() }
        #expect(history.minutes.count == 60)
    }
}
