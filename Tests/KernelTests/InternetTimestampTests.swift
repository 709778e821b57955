import Foundation
import Kernel
import Testing

struct InternetTimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-01-01T00:00:00Z", 1_767_225_600_000),
            ("2026-01-01t00:00:00z", 1_767_225_600_000), ("2026-01-01T00:00:00.5Z", 1_767_225_600_500),
            ("2026-01-01T00:00:00.1234567Z", 1_767_225_600_123), ("2026-01-01T02:30:00+02:30", 1_767_225_600_000),
            ("2025-12-31T19:00:00-05:00", 1_767_225_600_000), ("2024-02-29T12:00:00+00:00", 1_709_208_000_000),
            ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29T00:00:00Z", 951_782_400_000),
        ] as [(String, Int64)]
    )
    func `a timestamp is read to the millisecond`(_ text: String, _ milliseconds: Int64) {
        #expect(InternetTimestamp.parse(text) == Instant(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", "2026", "2026-01-01", "2026-01-01T00:00Z", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z",
        "2026-01-01T00:00:00+0200", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z",
        "+2026-01-01T00:00:00Z", "2026-1-1T00:00:00Z", "２０２６-01-01T00:00:00Z", "/Date(1767225600000)/",
    ])
    func `anything else is not a timestamp`(_ text: String) {
        #expect(InternetTimestamp.parse(text) == nil)
    }

    @Test(arguments: [1899, 1969, 1996, 1999, 2023, 2099, 2399])
    func `it agrees with Foundation on every day of some years`(_ year: Int64) {
        let start = (year - 1970) * 365 + (year - 1969) / 4
        for day in start..<(start + 900) {
            let seconds = day * 86_400 + 43_201
            let text = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
            guard InternetTimestamp.parse(text) == Instant(seconds: seconds) else {
                Issue.record("\(text) is read wrong")
                return
            }
        }
    }
}
