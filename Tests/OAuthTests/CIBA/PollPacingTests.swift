import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// Tests which clients are told to slow down (CIBA Core §11).
struct PollPacingTests {
    private static let start = Uptime(nanoseconds: 5_000_000_000)

    /// Returns how often a client with that interval was told to slow down in a number of polls.
    ///
    /// `gap`: how long it waits, by the interval that it keeps to; it adds five seconds whenever it is told to slow down.
    /// `delay` is the travel time of each poll.
    private static func slowDowns(
        interval: Duration,
        polls: Int,
        gap: (Duration) -> Duration,
        delay: () -> Duration = { .zero }
    ) -> Int {
        var pacing = PollPacing()
        var (sent, kept, count) = (start, interval, 0)
        var arrived = start
        for _ in 0..<polls {
            // One connection: no poll overtakes another.
            arrived = max(arrived, sent + delay())
            if !pacing.take(at: arrived, interval: interval) {
                count += 1
                kept += .seconds(PollPacing.step)
            }
            sent = sent + gap(kept)
        }
        return count
    }

    private static func uniform(_ range: ClosedRange<Double>, _ random: inout SeededRandom) -> Double {
        let unit = Double(random.next() >> 11) / Double(UInt64(1) << 53)
        return range.lowerBound + (range.upperBound - range.lowerBound) * unit
    }

    // O-100
    @Test(arguments: [1, 2, 5, 30] as [Int64])
    func `an honest client with a fifth of jitter is never told to slow down`(seconds: Int64) {
        for seed in UInt64(1)...200 {
            var random = SeededRandom(seed: seed)
            let count = Self.slowDowns(interval: .seconds(seconds), polls: 500) {
                $0 * Self.uniform(0.8...1.2, &random)
            }
            #expect(count == 0, "seed \(seed)")
        }
    }

    @Test func `a client whose polls are all a fifth early is never told to slow down`() {
        #expect(Self.slowDowns(interval: .seconds(5), polls: 5000) { $0 * 0.8 } == 0)
    }

    @Test func `a client whose polls arrive late and then close together is never told to slow down`() {
        for seed in UInt64(1)...200 {
            var random = SeededRandom(seed: seed)
            var late = SeededRandom(seed: seed + 1000)
            let count = Self.slowDowns(
                interval: .seconds(5),
                polls: 500,
                gap: { $0 * Self.uniform(0.8...1.2, &random) },
                delay: { .milliseconds(Int64(Self.uniform(0...2000, &late))) }
            )
            #expect(count == 0, "seed \(seed)")
        }
    }

    @Test(arguments: [0.1, 0.3, 0.5, 0.7])
    func `a client that polls too fast is told so, and is within bounds once it does as it is told`(factor: Double) {
        let count = Self.slowDowns(interval: .seconds(5), polls: 1000) { $0 * factor }
        // It adds five seconds each time, so that it is soon slow enough for good.
        #expect(count >= 1)
        #expect(count <= 8)
    }

    @Test func `a poll right behind another is told to slow down`() {
        var pacing = PollPacing()
        let answers = [0, 10, 1000, 2400, 3750].map {
            pacing.take(at: Self.start + .milliseconds($0), interval: .seconds(5))
        }
        #expect(answers == [true, false, false, true, false])
    }

    // O-100
    @Test func `attack: a client that polls too fast is answered about as often as the interval allows`() {
        var pacing = PollPacing()
        var taken = 0
        for step in 0..<6000 where pacing.take(at: Self.start + .milliseconds(Int64(step) * 10), interval: .seconds(5))
        {
            taken += 1
        }
        // A minute: sixteen at three quarters of the interval, and the one that it may be early with.
        #expect((16...17).contains(taken))
    }

    @Test func `a client that was silent for an hour gets one poll at once, not several`() {
        var pacing = PollPacing()
        let first = pacing.take(at: Self.start, interval: .seconds(5))
        #expect(first)
        let later = Self.start + .seconds(3600)
        let taken = (0..<10).filter { pacing.take(at: later + .milliseconds($0), interval: .seconds(5)) }
        #expect(taken.count == 1)
    }
}
