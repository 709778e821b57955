import Kernel

/// Dates as mail writes them, in UTC (RFC 5322 §3.3).
enum MailDate {
    /// `Sun, 22 Nov 2026 01:55:23 +0000`.
    static func text(_ instant: Instant) -> String {
        let date = Parts(instant)
        return "\(days[date.weekday]), \(date.day) \(months[date.month - 1]) \(date.year) "
            + "\(two(date.hour)):\(two(date.minute)):\(two(date.second)) +0000"
    }

    /// `2026-11-22T01-55-23-120`: sorts by time, and is fit for the name of a file.
    static func fileName(_ instant: Instant) -> String {
        let date = Parts(instant)
        let milliseconds = "\(1000 + (instant.milliseconds - instant.seconds * 1000))".dropFirst()
        return "\(date.year)-\(two(date.month))-\(two(date.day))T"
            + "\(two(date.hour))-\(two(date.minute))-\(two(date.second))-\(milliseconds)"
    }

    /// `2026-11-22 01:55 UTC`: the same in every language.
    static func minute(_ instant: Instant) -> String {
        let date = Parts(instant)
        return "\(date.year)-\(two(date.month))-\(two(date.day)) \(two(date.hour)):\(two(date.minute)) UTC"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// A moment in the proleptic Gregorian calendar.
    private struct Parts {
        let year: Int
        let month: Int
        let day: Int
        let weekday: Int
        let hour: Int
        let minute: Int
        let second: Int

        init(_ instant: Instant) {
            let seconds = Int(max(0, instant.seconds))
            let days = seconds / 86_400
            let rest = seconds % 86_400
            (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
            // 1970-01-01 was a Thursday.
            weekday = (days + 4) % 7
            // Years begin in March and are counted in eras of 400 years, so that a leap day is the last day of its
            // year.
            let shifted = days + 719_468
            let era = shifted / 146_097
            let dayOfEra = shifted % 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let shiftedMonth = (5 * dayOfYear + 2) / 153
            day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
            month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
            year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        }
    }
}
