internal import Kernel

/// A day as the FIDO Metadata Service writes it: `2026-11-22`.
enum MetadataDate {
    /// Returns the start of the day in UTC; `nil` for any other text.
    static func start(of text: String) -> Instant? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "-") }),
            let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return Instant(seconds: days(year: year, month: month, day: day) * 86_400)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Returns the days since 1970-01-01, counted in years that begin in March, so that a leap day is the last of its
    /// year.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + leapDays + dayOfYear - 719_468
    }
}
