/// Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
extension MetricsRegistry {
    /// The content type of a `/metrics` answer.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns every declared family with its `HELP` and `TYPE` lines, and the current values of its series.
    package func text() -> String {
        var lines = TextLines()
        for family in families {
            lines.comment("HELP", family.name, text: TextLines.escape(family.help, quotes: false))
            lines.comment("TYPE", family.name, text: family.type)
            for sample in source(of: family.name)?() ?? [] where sample.labels.count == family.labels.count {
                lines.sample(family.name, labels: TextLines.pairs(family.labels, sample.labels), value: sample.value)
            }
            for series in series(of: family.name) { lines.write(series, of: family) }
        }
        return lines.text
    }
}

/// The text of one scrape, while it is written.
private struct TextLines {
    private(set) var text = ""

    mutating func comment(_ keyword: String, _ name: String, text rest: String) {
        text += "# \(keyword) \(name) \(rest)\n"
    }

    mutating func sample(_ name: String, labels: [String], value: Double) {
        text += name
        if !labels.isEmpty { text += "{\(labels.joined(separator: ","))}" }
        text += " \(Self.number(value))\n"
    }

    mutating func write(_ series: MetricsRegistry.Series, of family: MetricFamily) {
        let labels = Self.pairs(family.labels, series.labels)
        switch series.instrument {
        case .counter(let counter):
            guard counter.value > 0 || !family.hidesZeros else { return }
            sample(family.name, labels: labels, value: Double(counter.value))
        case .gauge(let gauge): sample(family.name, labels: labels, value: gauge.value)
        case .histogram(let histogram): write(histogram.reading, of: family, labels: labels)
        }
    }

    private mutating func write(_ reading: HistogramInstrument.Reading, of family: MetricFamily, labels: [String]) {
        let count = reading.counts.reduce(0, +)
        guard count > 0 || !family.hidesZeros else { return }
        let bounds: [Double]
        switch family.kind {
        case .duration(let all), .distribution(let all): bounds = all
        case .counter, .gauge: bounds = []
        }
        var below: UInt64 = 0
        for (bound, inside) in zip(bounds + [.infinity], reading.counts) {
            below += inside
            sample(family.name + "_bucket", labels: labels + ["le=\"\(Self.number(bound))\""], value: Double(below))
        }
        sample(family.name + "_sum", labels: labels, value: reading.sum)
        sample(family.name + "_count", labels: labels, value: Double(count))
    }

    static func pairs(_ names: [String], _ values: [String]) -> [String] {
        zip(names, values).map { "\($0)=\"\(escape($1, quotes: true))\"" }
    }

    static func escape(_ text: String, quotes: Bool) -> String {
        text.unicodeScalars.reduce(into: "") { output, scalar in
            switch scalar {
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\"" where quotes: output += "\\\""
            default: output.unicodeScalars.append(scalar)
            }
        }
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if value == value.rounded(), value.magnitude < 1e15 { return String(Int64(value)) }
        return "\(value)"
    }
}
