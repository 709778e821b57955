#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Timestamps of RFC 3339 §5.6, with up to nine digits of a second's fraction.
package enum InternetTimestamp {
    /// Returns `nil` unless the text is a real date with a time and a zone (`Z` or `±hh:mm`).
    ///
    /// A time without a zone is ambiguous, and refused. Leap seconds are refused.
    package static func parse(_ text: String) -> Instant? {
        var reader = Reader(bytes: Array(text.utf8)[...])
        guard
            let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t"), let hour = reader.number(2),
            reader.take(":"), let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.bytes.isEmpty,
            (1...12).contains(month), (1...daysIn(month, year)).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Instant(milliseconds: seconds * 1000 + fraction)
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func daysIn(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns days from 1970-01-01.
    ///
    /// Years are counted from March, so that the leap day is a year's last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let sinceMarch = (month + 9) % 12
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + (sinceMarch * 306 + 5) / 10 + day - 1 - 719_468
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard bytes.first == UInt8(ascii: character) else { return false }
            bytes.removeFirst()
            return true
        }

        mutating func digit() -> Int64? {
            guard let byte = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            bytes.removeFirst()
            return Int64(byte - UInt8(ascii: "0"))
        }

        mutating func number(_ digits: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// Returns the fraction in whole milliseconds: 0 without a point, and `nil` for a point without digits.
        mutating func fraction() -> Int64? {
            guard take(".") else { return 0 }
            var milliseconds: Int64 = 0
            var digits = 0
            while let digit = digit() {
                digits += 1
                if digits <= 3 { milliseconds = milliseconds * 10 + digit }
            }
            guard (1...9).contains(digits) else { return nil }
            for _ in min(digits, 3)..<3 { milliseconds *= 10 }
            return milliseconds
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let isWest = take("-")
            guard
                isWest || take("+"), let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60
            else { return nil }
            return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
        }
    }
}

extension Instant {
    /// UTC to the second, without a fraction, like `2026-01-02T03:04:05Z` (RFC 3339 §5.6): the form that every app in
    /// the field decodes.
    package var internetDate: String { Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601) }
}
