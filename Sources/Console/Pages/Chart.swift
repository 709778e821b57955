extension ConsoleContent {
    /// A line of the last hour, drawn as SVG.
    struct Chart: Sendable {
        /// The drawing's size, as its template has it.
        static let width = 240.0
        static let height = 48.0

        let name: String
        /// The newest value.
        let latest: String
        /// The points of an SVG polyline.
        let points: String
        /// The chart in words, for those who don't see it.
        let summary: String
    }
}

extension ConsoleContent.Chart {
    /// Creates the chart of some values, the oldest first, with the newest at the right edge.
    ///
    /// - Parameters:
    ///   - name: What is drawn.
    ///   - values: One value a minute; a value that is not finite is drawn as zero.
    ///   - unit: The unit behind a number.
    init(_ name: String, _ values: [Double], unit: String = "") {
        let values = values.map { $0.isFinite ? max(0, $0) : 0 }
        let most = values.max() ?? 0
        let scale = most > 0 ? (Self.height - 4) / most : 0
        let step = Self.width / 59
        let start = Self.width - step * Double(max(0, values.count - 1))
        points = values.enumerated().map { index, value in
            "\(Self.coordinate(start + step * Double(index))),\(Self.coordinate(Self.height - 2 - value * scale))"
        }.joined(separator: " ")
        self.name = name
        latest = values.last.map { Self.number($0) + unit } ?? "-"
        let range = values.isEmpty ? "no minute yet" : "now \(latest), at most \(Self.number(most))\(unit)"
        summary = "\(name) in the last hour: \(range)"
    }

    /// Writes a coordinate with one decimal.
    private static func coordinate(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    private static func number(_ value: Double) -> String {
        value >= 10 || value == value.rounded() ? String(Int(value.rounded())) : coordinate(value)
    }
}
