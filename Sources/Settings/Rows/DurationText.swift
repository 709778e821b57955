import Kernel

/// Durations in the config: a whole number and a unit.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// - Returns: `nil` unless `text` has one to nine digits followed by ms, s, m, h or d.
    package static func parse(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard (1...9).contains(digits.count), let number = Int64(digits) else { return nil }
        let unit = text.dropFirst(digits.count)
        return units.first { $0.name == unit }.map { .milliseconds(number * $0.milliseconds) }
    }

    /// Returns the text with the largest unit that loses nothing but fractions of a millisecond.
    package static func format(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        guard milliseconds != 0 else { return "0s" }
        for unit in units where milliseconds % unit.milliseconds == 0 {
            return "\(milliseconds / unit.milliseconds)\(unit.name)"
        }
        return "\(milliseconds)ms"
    }
}

extension Duration {
    /// Returns that many times 24 hours.
    static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }
}
