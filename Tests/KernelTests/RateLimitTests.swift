import Testing

@testable import Kernel

/// Budgets that refill, and the table that keeps them.
struct RateLimitTests {
    private static func at(_ seconds: Double) -> Uptime { Uptime(nanoseconds: 7_000_000_000 + Int64(seconds * 1e9)) }

    @Test func `so many at once, and then one each period`() {
        let limit = RateLimit(burst: 3, every: .seconds(2))
        var use = RateLimit.Use()
        for _ in 0..<3 { #expect(limit.take(&use, at: Self.at(0)) == nil) }
        #expect(limit.take(&use, at: Self.at(0)) == .seconds(2))
        #expect(limit.take(&use, at: Self.at(1.5)) == .milliseconds(500), "asking in vain costs nothing")
        #expect(limit.take(&use, at: Self.at(2)) == nil)
        #expect(limit.take(&use, at: Self.at(2)) == .seconds(2))
        #expect(limit.take(&use, at: Self.at(7.9)) == nil)
        #expect(limit.take(&use, at: Self.at(7.9)) == nil)
        #expect(limit.take(&use, at: Self.at(7.9)) == .milliseconds(100))
    }

    @Test func `an unused budget does not pile up`() {
        let limit = RateLimit(burst: 2, every: .seconds(1))
        var use = RateLimit.Use()
        #expect(limit.take(&use, at: Self.at(1000)) == nil)
        #expect(limit.take(&use, at: Self.at(1000)) == nil)
        #expect(limit.take(&use, at: Self.at(1000)) != nil)
    }

    @Test func `a returned use counts as never made, and gives nobody more than the budget`() {
        let table = UseTable()
        let limit = RateLimit(burst: 2, every: .seconds(60))
        for _ in 0..<10 {
            #expect(table.take(1, limit, at: Self.at(0)) == nil)
            table.giveBack(1, limit)
        }
        for _ in 0..<2 { #expect(table.take(1, limit, at: Self.at(0)) == nil) }
        #expect(table.take(1, limit, at: Self.at(0)) == .seconds(60))
        for _ in 0..<10 { table.giveBack(1, limit) }
        table.giveBack(2, limit)
        for key in UInt64(1)...2 {
            for _ in 0..<2 { #expect(table.take(key, limit, at: Self.at(0)) == nil) }
            #expect(table.take(key, limit, at: Self.at(0)) == .seconds(60), "\(key)")
        }
    }

    @Test func `each key has a budget of its own`() {
        let table = UseTable()
        let limit = RateLimit(burst: 1, every: .seconds(60))
        for key in UInt64(0)..<1000 { #expect(table.take(key, limit, at: Self.at(0)) == nil) }
        for key in UInt64(0)..<1000 { #expect(table.take(key, limit, at: Self.at(0)) == .seconds(60)) }
    }

    // T-241
    @Test func `attack: a flood of new keys does not grow the rate table or reset a used-up budget`() {
        let table = UseTable(stripes: 4, setsPerStripe: 16)
        let limit = RateLimit(burst: 15, every: .seconds(60))
        var mixed = SplitMix(state: 1)
        let victim = mixed.next()
        for _ in 0..<15 { #expect(table.take(victim, limit, at: Self.at(0)) == nil) }
        // Two hundred times as many as there are places, each of which uses less than the victim's flood did.
        for _ in 0..<(table.capacity * 200) { #expect(table.take(mixed.next(), limit, at: Self.at(0)) == nil) }
        #expect(table.take(victim, limit, at: Self.at(0)) == .seconds(60))
        #expect(table.capacity == 4 * 16 * 8)
    }

    // T-241
    @Test func `attack: a new key is allowed although the rate table is full`() {
        let table = UseTable(stripes: 1, setsPerStripe: 1)
        let limit = RateLimit(burst: 2, every: .seconds(60))
        for key in UInt64(1)...100 {
            #expect(table.take(key, limit, at: Self.at(0)) == nil)
            #expect(table.take(key, limit, at: Self.at(0)) == nil)
        }
        #expect(table.take(1000, limit, at: Self.at(0)) == nil)
    }

    @Test func `an exhausted budget allows the next request after that time, and then its rate`() {
        let table = UseTable()
        let limit = RateLimit(burst: 3, every: .seconds(10))
        table.exhaust(1, limit, for: .seconds(4), at: Self.at(0))
        #expect(table.wait(1, limit, at: Self.at(0)) == .seconds(4))
        #expect(table.take(1, limit, at: Self.at(4)) == nil)
        #expect(table.take(1, limit, at: Self.at(4)) == .seconds(10))
        table.exhaust(1, limit, for: .seconds(1), at: Self.at(4))
        #expect(table.wait(1, limit, at: Self.at(4)) == .seconds(10), "it never becomes less exhausted")
    }

    @Test func `a limit is divided in its burst and in its rate, and is never without a request`() {
        let limit = RateLimit(burst: 200, every: .milliseconds(50))
        #expect(limit.divided(by: 3) == RateLimit(burst: 66, every: .milliseconds(150)))
        #expect(limit.divided(by: 1) == limit && limit.divided(by: 0) == limit)
        #expect(limit.divided(by: 500) == RateLimit(burst: 1, every: .seconds(25)))
    }

    @Test func `a time that is paid for says how long a request has to wait`() {
        let limit = RateLimit(burst: 3, every: .seconds(10))
        #expect(limit.wait(paidFor: .zero) == nil && limit.wait(paidFor: .seconds(-5)) == nil)
        #expect(limit.wait(paidFor: .seconds(20)) == nil)
        #expect(limit.wait(paidFor: .seconds(24)) == .seconds(4))
        #expect(limit.wait(paidFor: .seconds(30)) == .seconds(10))
    }

    @Test func `a mark is gone after its time`() {
        let table = UseTable()
        table.mark(5, until: Self.at(10))
        #expect(table.isMarked(5, at: Self.at(9.9)) && !table.isMarked(6, at: Self.at(0)))
        #expect(!table.isMarked(5, at: Self.at(10)))
    }
}

/// Keys as a keyed hash makes them.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
