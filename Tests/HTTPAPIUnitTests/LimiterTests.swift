import Kernel
import MemoryStore
import Operations
import Testing

@testable import HTTPAPI

/// One limit of a feature, as all of them count.
struct LimiterTests {
    private let time = VirtualTime()
    private var clock: any MonotonicClock { time.environment().clock }

    @Test func `a key that has used its limit up waits, and no other key does`() throws {
        let limiter = Limiter(.banks, RateLimit(burst: 2, every: .seconds(10)), clock: clock)
        for _ in 0..<2 { try limiter.take(1) }
        #expect(throws: APIError.rateLimited(for: .seconds(10), by: .banks)) { try limiter.take(1) }
        try limiter.take(2)
        time.advance(by: .seconds(10))
        try limiter.take(1)
    }

    @Test func `a check counts nothing, and a use that is given back is free again`() throws {
        let limiter = Limiter(.userCodes, RateLimit(burst: 1, every: .seconds(10)), clock: clock)
        for _ in 0..<3 { try limiter.check(1) }
        try limiter.take(1)
        #expect(throws: APIError.self) { try limiter.check(1) }
        limiter.giveBack(1)
        try limiter.check(1)
    }

    @Test func `a key is stopped once it has used its limit up, for the whole pause`() throws {
        let rate = RateLimit(burst: 1, every: .seconds(1))
        let limiter = Limiter(.wrongCardTokens, rate, pausing: .seconds(60), clock: clock)
        #expect(limiter.note(1) == nil && !limiter.isStopped(1))
        // The next use would be refused, but nothing is stopped by uses within the limit.
        try limiter.check(1)
        #expect(limiter.note(1) == .seconds(60) && limiter.isStopped(1))
        time.advance(by: .seconds(59))
        #expect(throws: APIError.rateLimited(for: .seconds(60), by: .wrongCardTokens)) { try limiter.check(1) }
        time.advance(by: .seconds(1))
        try limiter.check(1)
        #expect(!limiter.isStopped(1) && !limiter.isStopped(2))
    }

    @Test func `a key depends on the address, on what it names, and on the process`() throws {
        let (one, other) = (LimitKeys(time.environment(seed: 1)), LimitKeys(time.environment(seed: 2)))
        let address = try #require(NetworkAddress("192.0.2.1"))
        #expect(one.key(address) == one.key(address))
        #expect(
            Set([one.key(address), one.key(nil), one.key(address, "a"), one.key(nil, "a"), other.key(address)]).count
                == 5
        )
    }
}
