import CoreMetrics
import Telemetry
import Testing

struct MetricsRegistryTests {
    private let registry = MetricsRegistry([
        MetricFamily("app_requests_total", .counter, help: "Requests.", labels: ["route"]),
        MetricFamily("app_hidden_total", .counter, help: "Hidden while zero.", labels: ["route"], hidesZeros: true),
        MetricFamily("app_parked", .gauge, help: "Parked \\ waiting\nnow."),
        MetricFamily("app_took_seconds", .duration([0.001, 0.1, 1]), help: "How long."),
        MetricFamily("app_group_units", .distribution([1, 2, 4]), help: "How many."),
        MetricFamily("app_read", .gauge, help: "Read at a scrape.", labels: ["name"]),
    ])

    private func lines(_ prefix: String) -> [String] {
        registry.text().split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
    }

    @Test func `every family has HELP and TYPE, with or without series`() {
        for name in ["app_requests_total", "app_hidden_total", "app_parked", "app_took_seconds", "app_read"] {
            #expect(lines("# HELP \(name) ").count == 1)
            #expect(lines("# TYPE \(name) ").count == 1)
        }
        #expect(lines("# HELP app_parked ") == ["# HELP app_parked Parked \\\\ waiting\\nnow."])
        #expect(lines("# TYPE app_took_seconds ") == ["# TYPE app_took_seconds histogram"])
    }

    @Test func `two handles of one series count together, and one that goes does not take it along`() {
        do {
            let first = Counter(label: "app_requests_total", dimensions: [("route", "/a")], factory: registry)
            first.increment(by: 2)
            first.destroy()
        }
        Counter(label: "app_requests_total", dimensions: [("route", "/a")], factory: registry).increment()
        #expect(lines("app_requests_total") == [#"app_requests_total{route="/a"} 3"#])
    }

    @Test func `a counter never goes down`() {
        let counter = Counter(label: "app_requests_total", dimensions: [("route", "/a")], factory: registry)
        counter.increment(by: 5)
        counter.increment(by: -3)
        counter.reset()
        #expect(lines("app_requests_total") == [#"app_requests_total{route="/a"} 5"#])
    }

    @Test func `a series that is hidden at zero appears once it counted`() {
        let counter = Counter(label: "app_hidden_total", dimensions: [("route", "/a")], factory: registry)
        #expect(lines("app_hidden_total") == [])
        counter.increment()
        #expect(lines("app_hidden_total") == [#"app_hidden_total{route="/a"} 1"#])
    }

    @Test func `a gauge goes up and down`() {
        let gauge = Meter(label: "app_parked", factory: registry)
        gauge.set(5)
        gauge.increment(by: 2.5)
        gauge.decrement(by: 1)
        #expect(lines("app_parked") == ["app_parked 6.5"])
        Gauge(label: "app_parked", factory: registry).record(3)
        #expect(lines("app_parked") == ["app_parked 3"])
    }

    @Test func `a histogram's buckets add up, and a value on a bound belongs to it`() {
        let timer = Timer(label: "app_took_seconds", factory: registry)
        for nanoseconds in [-1, 1_000_000, 1_000_001, 100_000_000, 3_000_000_000] as [Int64] {
            timer.recordNanoseconds(nanoseconds)
        }
        #expect(
            lines("app_took_seconds") == [
                #"app_took_seconds_bucket{le="0.001"} 2"#, #"app_took_seconds_bucket{le="0.1"} 4"#,
                #"app_took_seconds_bucket{le="1"} 4"#, #"app_took_seconds_bucket{le="+Inf"} 5"#,
                "app_took_seconds_sum 3.102000001", "app_took_seconds_count 5",
            ]
        )
    }

    @Test func `a distribution counts whole numbers, and nothing that is none`() {
        let recorder = Recorder(label: "app_group_units", factory: registry)
        for size in [1, 3, 512] { recorder.record(size) }
        recorder.record(Double.nan)
        recorder.record(Double.infinity)
        #expect(
            lines("app_group_units") == [
                #"app_group_units_bucket{le="1"} 1"#, #"app_group_units_bucket{le="2"} 1"#,
                #"app_group_units_bucket{le="4"} 2"#, #"app_group_units_bucket{le="+Inf"} 3"#,
                "app_group_units_sum 516", "app_group_units_count 3",
            ]
        )
    }

    @Test func `a source is read at each scrape`() {
        let counter = Counter(label: "app_requests_total", dimensions: [("route", "/a")], factory: registry)
        registry.read("app_read") { [MetricSample(1.5, labels: ["one"]), MetricSample(2, labels: ["too", "many"])] }
        counter.increment()
        #expect(lines("app_read") == [#"app_read{name="one"} 1.5"#])
    }

    @Test func `attack: quotes and line breaks in a metric's label value are escaped`() {
        let value = "a\"} 1\nforged_total 99\\"
        Counter(label: "app_requests_total", dimensions: [("route", value)], factory: registry).increment()
        #expect(lines("app_requests_total") == [#"app_requests_total{route="a\"} 1\nforged_total 99\\"} 1"#])
        #expect(lines("forged_total") == [])
    }

    // T-257
    @Test func `attack: the label values of a metric are bounded in number`() {
        for number in 0..<(MetricsRegistry.maximumSeries * 2) {
            Counter(label: "app_requests_total", dimensions: [("route", "/\(number)")], factory: registry).increment()
        }
        #expect(lines("app_requests_total").count == MetricsRegistry.maximumSeries)
    }

    @Test func `an undeclared family, or one declared otherwise, is refused by name`() {
        Counter(label: "app_unknown_total", factory: registry).increment()
        Counter(label: "app_requests_total", dimensions: [("path", "/a")], factory: registry).increment()
        Timer(label: "app_parked", factory: registry).recordNanoseconds(1)
        #expect(registry.refused == ["app_parked", "app_requests_total", "app_unknown_total"])
        #expect(lines("app_unknown_total") == [])
    }
}
