import Foundation

/// Parses the date of a cookie leniently (RFC 6265 §5.1.1).
///
/// The three forms of RFC 9110 §5.6.7 are accepted as well.
enum CookieDate {
    /// Returns the date; `nil` if the text contains none.
    static func parse(_ text: String) -> Date? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter).map({ String(decoding: $0, as: UTF8.self) }) {
            if time == nil, let found = clockTime(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = months.firstIndex(of: token.lowercased().prefix(3).description) {
                month = found + 1
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = fullYear(found)
            }
        }
        guard let time, let day, let month, let year, year >= 1601, time.hour <= 23, time.minute <= 59,
            time.second <= 59, day >= 1, day <= daysIn(month: month, year: year)
        else { return nil }
        let seconds = days(year: year, month: month, day: day) * 86_400
        return Date(timeIntervalSince1970: Double(seconds + time.hour * 3600 + time.minute * 60 + time.second))
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 70...99: year + 1900
        case 0...69: year + 2000
        default: year
        }
    }

    /// Returns the number in the digits at the start of a token; `nil` if the count of these digits is not allowed.
    private static func number(_ token: String, digits: ClosedRange<Int>) -> Int? {
        let leading = token.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits.contains(leading.count) else { return nil }
        return Int(String(decoding: leading, as: UTF8.self))
    }

    private static func clockTime(_ token: String) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count <= 2, parts[1].utf8.count <= 2,
            let hour = number(String(parts[0]), digits: 1...2), let minute = number(String(parts[1]), digits: 1...2),
            let second = number(String(parts[2]), digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400
        let sinceYearOne = before * 365 + leapDays
        let inYear = (1..<month).reduce(day - 1) { $0 + daysIn(month: $1, year: year) }
        return sinceYearOne + inYear - 719_162
    }
}
