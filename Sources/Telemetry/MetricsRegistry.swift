// Telemetry: metrics, and their text for Prometheus.
// Owns the registry behind the swift-metrics API, and its limits.
// Measures nothing itself.
// Survives any number of label values: a family accepts no series beyond its maximum.
// Values that are read at scrape time come from registered closures.

package import CoreMetrics
import Synchronization

/// Keeps the measurements that modules make through the swift-metrics API, and writes them for Prometheus.
///
/// Keeps only declared families, with their declared labels and at most ``maximumSeries`` series each. So label values
/// that a client chooses can't use up memory. Making a handle takes a lock, but using one does not.
package final class MetricsRegistry: MetricsFactory {
    /// The greatest number of series in one family; the handle of a further series records nothing.
    package static let maximumSeries = 4096

    let families: [MetricFamily]
    private let byName: [String: MetricFamily]
    private let state = Mutex(State())

    enum Instrument {
        case counter(CounterInstrument)
        case gauge(GaugeInstrument)
        case histogram(HistogramInstrument)
    }

    struct Series {
        let labels: [String]
        let instrument: Instrument
    }

    private struct State {
        var series: [String: [[String]: Instrument]] = [:]
        var sources: [String: @Sendable () -> [MetricSample]] = [:]
        var refused: Set<String> = []
    }

    /// `families`: The declared metrics, in the order in which they are written.
    package init(_ families: [MetricFamily]) {
        self.families = families
        byName = Dictionary(families.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Registers a closure that returns a family's values at each scrape.
    package func read(_ name: String, _ source: @escaping @Sendable () -> [MetricSample]) {
        state.withLock { state in
            if byName[name] == nil { state.refused.insert(name) }
            state.sources[name] = source
        }
    }

    /// The names of metrics that were used without a declaration, or with another kind or other labels: a programming
    /// error.
    package var refused: [String] { state.withLock { $0.refused.sorted() } }

    /// Returns the series of a family, in the order of their labels.
    func series(of name: String) -> [Series] {
        state.withLock { $0.series[name] ?? [:] }
            .map { Series(labels: $0.key, instrument: $0.value) }
            .sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
    }

    func source(of name: String) -> (@Sendable () -> [MetricSample])? { state.withLock { $0.sources[name] } }

    /// Returns the series' instrument, creating a missing one; `nil` if it is not declared or its family is full.
    private func instrument(_ name: String, _ dimensions: [(String, String)]) -> Instrument? {
        guard let family = byName[name], dimensions.map(\.0) == family.labels else { return nil }
        let labels = dimensions.map(\.1)
        return state.withLock { state in
            if let found = state.series[name]?[labels] { return found }
            guard (state.series[name]?.count ?? 0) < Self.maximumSeries else { return nil }
            let made = Self.make(family.kind)
            state.series[name, default: [:]][labels] = made
            return made
        }
    }

    private static func make(_ kind: MetricFamily.Kind) -> Instrument {
        switch kind {
        case .counter: .counter(CounterInstrument())
        case .gauge: .gauge(GaugeInstrument())
        case .duration(let bounds): .histogram(HistogramInstrument(bounds: bounds, unitsPerOne: 1_000_000_000))
        case .distribution(let bounds): .histogram(HistogramInstrument(bounds: bounds, unitsPerOne: 1))
        }
    }

    private func refuse(_ name: String) -> NOOPMetricsHandler {
        state.withLock { state in
            if (state.series[name]?.count ?? 0) < Self.maximumSeries { state.refused.insert(name) }
        }
        return NOOPMetricsHandler.instance
    }
}

extension MetricsRegistry {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        if case .counter(let counter)? = instrument(label, dimensions) { return counter }
        return refuse(label)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        if case .gauge(let gauge)? = instrument(label, dimensions) { return gauge }
        return refuse(label)
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        switch instrument(label, dimensions) {
        case .histogram(let histogram)? where aggregate: histogram
        case .gauge(let gauge)? where !aggregate: gauge
        case .counter, .gauge, .histogram, nil: refuse(label)
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        if case .histogram(let histogram)? = instrument(label, dimensions) { return histogram }
        return refuse(label)
    }

    /// A series outlives its handles: two modules may hold the same one.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
