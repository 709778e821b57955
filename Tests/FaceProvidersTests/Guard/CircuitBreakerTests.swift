import FaceProviders
import Kernel
import Operations
import Testing

struct CircuitBreakerTests {
    private static let policy = CircuitBreaker.Policy(failures: 3, pause: .seconds(5))

    private var breaker = CircuitBreaker(policy)
    private var now = Uptime(nanoseconds: 0)

    private mutating func pass() throws -> CircuitBreaker.Pass {
        let pass = breaker.admit(at: now)
        return try #require(pass)
    }

    private mutating func call(_ outcome: CircuitBreaker.Outcome, jitter: Double = 0.5) throws {
        let pass = try pass()
        breaker.settle(pass, outcome, at: now, jitter: jitter)
    }

    private mutating func expectShut(at time: Uptime) {
        let (admits, pass) = (breaker.admits(at: time), breaker.admit(at: time))
        #expect(!admits && pass == nil)
    }

    private mutating func open() throws {
        for _ in 0..<Self.policy.failures { try call(.failed) }
    }

    // T-259
    @Test mutating func `so many failures in a row open it, and no call gets through`() throws {
        for _ in 0..<2 { try call(.failed) }
        #expect(breaker.circuit(at: now) == .closed)
        try call(.failed)
        #expect(breaker.circuit(at: now) == .open)
        expectShut(at: now)
        expectShut(at: now + .milliseconds(4999))
    }

    @Test mutating func `an answer in between counts from nothing again, a call that was given up does not`() throws {
        for _ in 0..<2 { try call(.failed) }
        try call(.answered)
        for _ in 0..<2 { try call(.failed) }
        try call(.void)
        #expect(breaker.circuit(at: now) == .closed)
        try call(.failed)
        #expect(breaker.circuit(at: now) == .open)
    }

    // T-259
    @Test mutating func `after the pause one call at a time finds out`() throws {
        try open()
        now = now + .seconds(5)
        #expect(breaker.circuit(at: now) == .halfOpen && breaker.admits(at: now))
        let probe = try pass()
        #expect(breaker.circuit(at: now) == .halfOpen)
        for _ in 0..<3 { expectShut(at: now + .milliseconds(1999)) }
        breaker.settle(probe, .answered, at: now, jitter: 0)
        #expect(breaker.circuit(at: now) == .closed)
        for _ in 0..<2 { try call(.failed) }
        #expect(breaker.circuit(at: now) == .closed, "it counts from nothing")
    }

    @Test mutating func `one failure of it opens it for another pause`() throws {
        try open()
        for _ in 0..<4 {
            now = now + .seconds(5)
            try call(.failed)
            #expect(breaker.circuit(at: now) == .open)
        }
        now = now + .seconds(5)
        try call(.answered)
        #expect(breaker.circuit(at: now) == .closed)
    }

    @Test mutating func `a probe that was given up leaves the place to the next`() throws {
        try open()
        now = now + .seconds(5)
        try call(.void)
        #expect(breaker.circuit(at: now) == .halfOpen)
        try call(.answered)
        #expect(breaker.circuit(at: now) == .closed)
    }

    // T-259
    @Test(arguments: CircuitBreaker.Outcome.allCases)
    mutating func `attack: the outcome of a call from before the circuit opened does not change the circuit`(
        _ outcome: CircuitBreaker.Outcome
    ) throws {
        var early: [CircuitBreaker.Pass] = []
        for _ in 0..<40 { early.append(try pass()) }
        try open()
        for pass in early { breaker.settle(pass, outcome, at: now + .seconds(4), jitter: 0.99) }
        #expect(breaker.circuit(at: now + .seconds(4)) == .open)
        #expect(breaker.admits(at: now + .seconds(5)), "nor is the pause prolonged")
        now = now + .seconds(5)
        let probe = try pass()
        for pass in early { breaker.settle(pass, outcome, at: now, jitter: 0) }
        expectShut(at: now)
        breaker.settle(probe, .answered, at: now, jitter: 0)
        for pass in early { breaker.settle(pass, outcome, at: now, jitter: 0) }
        #expect(breaker.circuit(at: now) == .closed)
    }

    @Test mutating func `a pass is worth one outcome`() throws {
        try open()
        now = now + .seconds(5)
        let probe = try pass()
        breaker.settle(probe, .failed, at: now, jitter: 0.5)
        breaker.settle(probe, .answered, at: now, jitter: 0.5)
        #expect(breaker.circuit(at: now) == .open)
    }

    @Test(arguments: [(0.0, 4500), (0.5, 5000), (0.999, 5499)])
    mutating func `the pause is spread over a fifth of its length`(_ jitter: Double, _ milliseconds: Int) throws {
        for _ in 0..<3 { try call(.failed, jitter: jitter) }
        #expect(!breaker.admits(at: now + .milliseconds(milliseconds - 1)))
        #expect(breaker.admits(at: now + .milliseconds(milliseconds + 1)))
    }

    @Test func `a retry waits for anything up to a bound that doubles, and no longer than two seconds`() {
        for (retry, bound) in [(0, 200), (1, 400), (2, 800), (3, 1600), (4, 2000), (60, 2000), (-1, 200)] {
            #expect(RetryDelay.before(retry, jitter: 0) == .zero)
            #expect(RetryDelay.before(retry, jitter: 0.5) == .milliseconds(bound / 2))
            #expect(RetryDelay.before(retry, jitter: 0.999_999) < .milliseconds(bound))
        }
    }
}
