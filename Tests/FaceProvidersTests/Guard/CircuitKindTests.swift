import Kernel
import Operations
import Testing

@testable import FaceProviders

/// The failures that stop each kind of call.
struct CircuitKindTests {
    private var breaker = CircuitBreaker(.init(failures: 3, pause: .seconds(5)))
    private var now = Uptime(nanoseconds: 1_000_000_000)

    private mutating func pass(_ kind: CircuitBreaker.Kind) throws -> CircuitBreaker.Pass {
        let pass = breaker.admit(kind, at: now)
        return try #require(pass)
    }

    private mutating func call(_ kind: CircuitBreaker.Kind, _ outcome: CircuitBreaker.Outcome) throws {
        let pass = try pass(kind)
        breaker.settle(pass, outcome, at: now, jitter: 0.5)
    }

    // T-259
    @Test mutating func `scans that hang stop one another, and neither other scans nor starts`() throws {
        for _ in 0..<3 { try call(.suspect, .failed) }
        #expect(breaker.circuit(of: .suspect, at: now) == .open && !breaker.admits(.suspect, at: now))
        #expect(breaker.circuit(at: now) == .closed, "the provider is not down")
        for _ in 0..<20 { _ = try pass(.check) }
        #expect(breaker.admits(.start, at: now))
        try call(.start, .answered)
        #expect(breaker.circuit(of: .suspect, at: now) == .closed, "an answer lets all of them continue")
    }

    // T-259
    @Test mutating func `checks that fail leave starts to one at a time, until one fails`() throws {
        for _ in 0..<3 { try call(.check, .failed) }
        #expect(!breaker.admits(.check, at: now) && !breaker.admits(.suspect, at: now))
        let first = try pass(.start)
        #expect(first.isProbe && !breaker.admits(.start, at: now))
        breaker.settle(first, .failed, at: now, jitter: 0.5)
        #expect(!breaker.admits(.start, at: now))
        now = now + .seconds(5)
        for kind in CircuitBreaker.Kind.allCases {
            let pass = try pass(kind)
            #expect(pass.isProbe)
        }
    }

    // T-259
    @Test mutating func `starts that fail stop starts, and no check of a scan in progress`() throws {
        for _ in 0..<3 {
            let start = try pass(.start)
            try call(.check, .answered)
            now = now + .seconds(1)
            breaker.settle(start, .failed, at: now, jitter: 0.5)
        }
        #expect(!breaker.admits(.start, at: now) && breaker.circuit(at: now) == .open)
        for _ in 0..<20 {
            _ = try pass(.check)
            _ = try pass(.suspect)
        }
        try call(.check, .answered)
        #expect(!breaker.admits(.start, at: now), "it tells how scans go, and still starts none")
        #expect(breaker.circuit(of: .check, at: now) == .closed)
        now = now + .seconds(5)
        try call(.start, .answered)
        #expect(breaker.circuit(at: now) == .closed)
    }

    @Test mutating func `a probe that hangs keeps no other from finding out, and its own late answer counts`() throws {
        for _ in 0..<3 { try call(.check, .failed) }
        now = now + .seconds(5)
        let patient = try pass(.check)
        now = now + .seconds(2)
        let second = try pass(.check)
        #expect(second.isProbe && !breaker.admits(.check, at: now))
        breaker.settle(patient, .failed, at: now, jitter: 0.5)
        #expect(breaker.circuit(at: now) == .open, "its failure counts as any other")
        breaker.settle(second, .failed, at: now + .seconds(2), jitter: 0.5)
        now = now + .seconds(8)
        let third = try pass(.check)
        now = now + .seconds(2)
        _ = try pass(.check)
        breaker.settle(third, .answered, at: now, jitter: 0.5)
        #expect(breaker.circuit(at: now) == .closed)
    }

    @Test mutating func `a start that fails as a probe leaves the checks' pause as it is`() throws {
        for _ in 0..<3 { try call(.check, .failed) }
        now = now + .seconds(4)
        try call(.start, .failed)
        now = now + .seconds(1)
        #expect(breaker.admits(.check, at: now) && !breaker.admits(.start, at: now))
        try call(.check, .answered)
        #expect(breaker.admits(.start, at: now))
    }

    @Test mutating func `a scan that hangs and is tried in vain makes no other scan wait longer`() throws {
        for _ in 0..<3 { try call(.check, .failed) }
        now = now + .seconds(5)
        let hanging = try pass(.suspect)
        now = now + .seconds(2)
        breaker.settle(hanging, .failed, at: now, jitter: 0.5)
        #expect(!breaker.admits(.suspect, at: now) && breaker.admits(.check, at: now))
        try call(.check, .answered)
        #expect(breaker.circuit(at: now) == .closed)
    }

    // T-259
    @Test mutating func `a last check passes an open circuit, and its answer closes it`() throws {
        for _ in 0..<3 { try call(.check, .failed) }
        let failed = breaker.admitFinal(.check, at: now)
        breaker.settle(failed, .failed, at: now, jitter: 0.5)
        #expect(
            breaker.circuit(at: now) == .open && breaker.admits(at: now + .seconds(5)),
            "nor is the pause prolonged"
        )
        let final = breaker.admitFinal(.suspect, at: now)
        breaker.settle(final, .answered, at: now, jitter: 0.5)
        #expect(breaker.circuit(at: now) == .closed)
    }

    @Test mutating func `a call that failed while another was answered says nothing about the provider`() throws {
        var hanging: [CircuitBreaker.Pass] = []
        for _ in 0..<20 { hanging.append(try pass(.check)) }
        now = now + .seconds(1)
        try call(.check, .answered)
        now = now + .seconds(9)
        for pass in hanging { breaker.settle(pass, .failed, at: now, jitter: 0.5) }
        #expect(breaker.circuit(at: now) == .closed)
        for _ in 0..<3 { try call(.check, .failed) }
        #expect(breaker.circuit(at: now) == .open)
    }

    @Test func `a short time is three times what answers take, and grows at once with a slow one`() {
        var pace = AnswerPace()
        #expect(pace.shortTime(atLeast: .seconds(2)) == nil)
        pace.note(.milliseconds(100))
        #expect(pace.shortTime(atLeast: .seconds(2)) == .seconds(2))
        pace.note(.seconds(3))
        #expect(pace.shortTime(atLeast: .seconds(2)) == .seconds(9))
        for _ in 0..<20 { pace.note(.milliseconds(100)) }
        #expect(pace.shortTime(atLeast: .seconds(2)) == .seconds(2), "one slow scan is forgotten")
    }

    private func time(
        _ place: CheckTurn.Slot,
        _ pace: AnswerPace,
        left: Duration? = nil,
        isProbe: Bool = false
    ) -> Duration {
        let turn = CheckTurn(place, end: left.map { now + $0 })
        return GuardPolicy().time(for: turn, pace: pace, isProbe: isProbe, at: now)
    }

    @Test func `two last checks fit before a deadline after one slow answer, and a probe stays short`() {
        var pace = AnswerPace()
        for _ in 0..<5 { pace.note(.milliseconds(100)) }
        pace.note(.seconds(4))
        #expect(time(.final, pace, left: .seconds(5)) == .milliseconds(2500))
        #expect(time(.final, pace, left: .milliseconds(1500)) == .seconds(2), "the last one is recorded")
        #expect(time(.long, pace, isProbe: true) == .seconds(2))
        #expect(time(.quick, pace, left: .seconds(60)) == .seconds(12), "a crowd is asked with patience")
        #expect(time(.quick, pace, left: .seconds(3), isProbe: true) == .seconds(2))
        #expect(time(.long, pace, left: .seconds(1), isProbe: true) == .seconds(1))
        #expect(time(.long, pace, left: .seconds(60)) == .seconds(20))
    }

    @Test func `a provider that always takes four seconds is given them, in last checks and in probes too`() {
        var pace = AnswerPace()
        #expect(time(.final, pace, left: .seconds(5)) == .seconds(2), "before the first answer")
        #expect(time(.quick, pace) == .seconds(20))
        pace.note(.seconds(4))
        #expect(time(.final, pace, left: .seconds(5)) > .seconds(5), "from its first answer on")
        #expect(time(.long, pace, isProbe: true) > .seconds(5))
        for _ in 0..<20 { pace.note(.seconds(4)) }
        #expect(time(.final, pace, left: .seconds(5)) > .seconds(5))
        #expect(time(.long, pace, isProbe: true) > .seconds(5))
    }

    @Test mutating func `starts that hang one after another are paused, however often somebody starts`() throws {
        for _ in 0..<3 { try call(.start, .failed) }
        now = now + .seconds(5)
        let admitted = starts(for: 60) { _ in false }.filter { $0 != nil }.count
        #expect((4...20).contains(admitted), "\(admitted) of thirty went into the hanging provider")
    }

    @Test(arguments: 20..<40)
    mutating func `starts go through soon after the provider is back, though old ones hang on`(_ recovery: Int) throws {
        for _ in 0..<3 { try call(.start, .failed) }
        now = now + .seconds(5)
        let answered = starts(for: 60) { second in second >= recovery }.compactMap(\.self)
        let first = try #require(answered.first(where: { $0 >= recovery }))
        #expect(first - recovery <= 10, "first let through \(first - recovery) s after it was back")
        #expect(answered.last == 58 && breaker.circuit(at: now) == .closed)
    }

    /// Begins every other second at a provider that hangs for ten seconds, or answers where `isBack` says so.
    ///
    /// Returns the seconds of the calls that were let through.
    private mutating func starts(for seconds: Int, isBack: (Int) -> Bool) -> [Int?] {
        var hanging: [(pass: CircuitBreaker.Pass, begun: Uptime)] = []
        return (0..<seconds).map { second in
            now = now + .seconds(1)
            for call in hanging where now - call.begun >= .seconds(10) {
                breaker.settle(call.pass, .failed, at: now, jitter: 0.5)
            }
            hanging.removeAll { now - $0.begun >= .seconds(10) }
            guard second.isMultiple(of: 2), let pass = breaker.admit(.start, at: now) else { return nil }
            if isBack(second) {
                breaker.settle(pass, .answered, at: now, jitter: 0.5)
            } else {
                hanging.append((pass, now))
            }
            return second
        }
    }

    @Test mutating func `starts that come together get through while suspect scans alone are stopped`() throws {
        for _ in 0..<3 { try call(.suspect, .failed) }
        let passes = [breaker.admit(.start, at: now), breaker.admit(.start, at: now), breaker.admit(.start, at: now)]
        #expect(passes.allSatisfy { $0 != nil })
    }
}
