import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import OAuth

/// The codes that people type (RFC 8628 §6.1).
struct UserCodeTests {
    @Test func `a code has eight of the twenty consonants, in two groups, and each letter comes as often`() throws {
        let environment = VirtualTime().environment(seed: 7)
        var counts: [Character: Int] = [:]
        for _ in 0..<5000 {
            let text = UserCode(environment).text
            try #require(text.wholeMatch(of: #/[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/#) != nil, "\(text)")
            for letter in text where letter != "-" { counts[letter, default: 0] += 1 }
        }
        #expect(counts.count == 20 && UserCode.alphabet.count == 20)
        // 2000 are expected of each; ±6 standard deviations of 43.6.
        for (letter, count) in counts { #expect((1738...2262).contains(count), "\(letter): \(count)") }
    }

    @Test func `bytes that would favour some letters are drawn again`() {
        let drawn = Mutex<[UInt8]>([255, 240, 241, 254, 0, 19, 20, 239, 250, 1, 2, 3, 4, 5, 6, 7])
        let environment = Environment(
            now: { Instant(seconds: 0) },
            clock: VirtualTime(),
            randomBytes: { count in
                drawn.withLock { bytes in
                    defer { bytes.removeFirst(count) }
                    return Array(bytes.prefix(count))
                }
            }
        )
        // 0, 19, 20 and 239, then 1 to 4.
        #expect(UserCode(environment).text == "BZBZ-CDFG")
    }

    // O-110
    @Test(arguments: [
        "WDJB-MJHT", "wdjb-mjht", "WDJBMJHT", " wdjb mjht ", "WDJB\u{2013}MJHT", "w.d.j.b.m.j.h.t", "WDJB\u{A0}MJHT",
        "WdJb--mJhT\t", "“WDJB-MJHT”",
    ])
    func `case, hyphens, spaces and other characters don't matter`(_ typed: String) {
        #expect(UserCode(typed: typed)?.text == "WDJB-MJHT")
    }

    // O-108, O-110
    @Test(arguments: [
        "", "WDJB-MJH", "WDJB-MJHTT", "WDJB-MJH0", "WDJB-MJHA", "WDJB-MJH1T", "WDJB-MJHTä", "ＷＤＪＢ-ＭＪＨＴ", "WDJB-MJHТ",
        "WDJB-MJH\u{212A}", "WDJB-MJH\u{0662}T", "WDJB-MJHß", String(repeating: "-", count: 60) + "WDJBMJHT",
    ])
    func `attack: an invalid user code is refused, also with similar letters`(_ typed: String) {
        #expect(UserCode(typed: typed) == nil)
    }

    // O-112
    @Test func `a row's digest of a code needs the key`() throws {
        let code = try #require(UserCode(typed: "WDJB-MJHT"))
        let (one, other) = (UserCodeKey(Digest256(sha256: "one")), UserCodeKey(Digest256(sha256: "other")))
        #expect(one.digest(code) == one.digest(try #require(UserCode(typed: "wdjbmjht"))))
        #expect(one.digest(code) != other.digest(code))
        for text in ["WDJB-MJHT", "WDJBMJHT"] { #expect(one.digest(code) != Digest256(sha256: text)) }
    }

    // O-108
    @Test func `guesses are bounded as the documentation counts them`() {
        let codes = 25_600_000_000.0
        func tries(_ limit: RateLimit) -> Double {
            Double(limit.burst) + Double(DeviceFlowPolicy().lifetime.wholeMilliseconds)
                / Double(limit.period.wholeMilliseconds)
        }
        // 2⁻³⁰ and 2⁻²⁷.
        #expect(tries(DeviceFlowPolicy.triesPerAccount) / codes < 1.0 / 1_073_741_824)
        #expect(tries(DeviceFlowPolicy.triesPerAddress) / codes < 1.0 / 134_217_728)
    }
}
