import CoreMetrics
import Testing

@testable import Telemetry

/// What readers inside the program see of the metrics.
struct MetricTotalTests {
    @Test func `counters, gauges, histograms and closures have totals`() {
        let registry = MetricsRegistry([
            MetricFamily("c_total", .counter, help: "h", labels: ["a"]),
            MetricFamily("d_seconds", .duration([1, 2]), help: "h"), MetricFamily("g", .gauge, help: "h"),
            MetricFamily("r", .gauge, help: "h"),
        ])
        Counter(label: "c_total", dimensions: [("a", "x")], factory: registry).increment(by: 3)
        let timer = CoreMetrics.Timer(label: "d_seconds", factory: registry)
        timer.recordNanoseconds(500_000_000)
        timer.recordNanoseconds(3_000_000_000)
        Meter(label: "g", factory: registry).set(7)
        registry.read("r") { [MetricSample(9)] }
        #expect(registry.totals(of: "c_total") == [MetricTotal(labels: ["x"], value: 3, sum: 0)])
        #expect(registry.totals(of: "d_seconds") == [MetricTotal(labels: [], value: 2, sum: 3.5)])
        #expect(registry.totals(of: "g").map(\.value) == [7])
        #expect(registry.totals(of: "r").map(\.value) == [9])
        #expect(registry.totals(of: "none").isEmpty)
    }
}
