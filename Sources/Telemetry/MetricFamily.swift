/// The declaration of a metric: its name, its meaning, and the labels of its series.
///
/// swift-metrics has no API for declarations, and a scraper needs them. So metrics without a declaration are dropped.
package struct MetricFamily: Sendable {
    /// The kind of measurement.
    package enum Kind: Sendable {
        /// A value that only grows.
        case counter
        case gauge
        /// Durations, in seconds; the bounds are the upper ends of the buckets, ascending, in seconds.
        case duration([Double])
        /// Whole numbers; the bounds are the upper ends of the buckets, ascending.
        case distribution([Double])
    }

    /// The name with its unit, as Prometheus names metrics (`…_seconds`, `…_total`).
    package let name: String
    package let kind: Kind
    /// The explanation for a `HELP` line, in one sentence.
    package let help: String
    /// The names of the labels, for each of which a series has a value.
    package let labels: [String]
    /// Whether series that never counted anything are left out: for families with many possible label values.
    package let hidesZeros: Bool

    package init(_ name: String, _ kind: Kind, help: String, labels: [String] = [], hidesZeros: Bool = false) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
        self.hidesZeros = hidesZeros
    }

    /// The type in a `TYPE` line.
    var type: String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .duration, .distribution: "histogram"
        }
    }
}

/// A value that is read at scrape time.
package struct MetricSample: Sendable, Equatable {
    /// The values in the order of the family's label names.
    package let labels: [String]
    package let value: Double

    package init(_ value: Double, labels: [String] = []) {
        self.labels = labels
        self.value = value
    }
}
