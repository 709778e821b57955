/// The value of a series now.
package struct MetricTotal: Sendable, Equatable {
    /// The values in the order of the family's label names.
    package let labels: [String]
    /// The value of a counter or gauge, or the number of observations of a histogram.
    package let value: Double
    /// The sum of a histogram's observations in the family's unit; 0 for other kinds.
    package let sum: Double
}

extension MetricsRegistry {
    /// Returns the current values of a family's series, for readers inside the program.
    package func totals(of name: String) -> [MetricTotal] {
        let read = (source(of: name)?() ?? []).map { MetricTotal(labels: $0.labels, value: $0.value, sum: 0) }
        return read
            + series(of: name).map { series in
                switch series.instrument {
                case .counter(let counter):
                    MetricTotal(labels: series.labels, value: Double(counter.value), sum: 0)
                case .gauge(let gauge): MetricTotal(labels: series.labels, value: gauge.value, sum: 0)
                case .histogram(let histogram): MetricTotal(histogram.reading, labels: series.labels)
                }
            }
    }
}

extension MetricTotal {
    fileprivate init(_ reading: HistogramInstrument.Reading, labels: [String]) {
        self.init(labels: labels, value: Double(reading.counts.reduce(0, +)), sum: reading.sum)
    }
}
