import Kernel
import MemoryStore
import Operations
import Testing

@testable import HTTPAPI

/// One limit of a feature, as all of them count.
struct LimiterTests {
    private let time = VirtualTime()
    private var sharing: LimitSharing { LimitSharing(aloneIn: time.environment()) }

    @Test func `a key that has used its limit up waits, and no other key does`() async throws {
        let limiter = Limiter(.banks, RateLimit(burst: 2, every: .seconds(10)), sharing: sharing)
        for _ in 0..<2 { try await limiter.take(1) }
        await #expect(throws: APIError.rateLimited(for: .seconds(10), by: .banks)) { try await limiter.take(1) }
        try await limiter.take(2)
        time.advance(by: .seconds(10))
        try await limiter.take(1)
    }

    @Test func `a check counts nothing, and a use that is given back is free again`() async throws {
        let limiter = Limiter(.userCodes, RateLimit(burst: 1, every: .seconds(10)), sharing: sharing)
        for _ in 0..<3 { try await limiter.check(1) }
        try await limiter.take(1)
        await #expect(throws: APIError.self) { try await limiter.check(1) }
        await limiter.giveBack(1)
        try await limiter.check(1)
    }

    @Test func `a key is stopped once it has used its limit up, for the whole pause`() async throws {
        let rate = RateLimit(burst: 1, every: .seconds(1))
        let limiter = Limiter(.wrongCardTokens, rate, pausing: .seconds(60), sharing: sharing)
        #expect(try await limiter.note(1) == nil)
        #expect(!limiter.isStoppedHere(1))
        // The next use would be refused, but nothing is stopped by uses within the limit.
        try await limiter.check(1)
        #expect(try await limiter.note(1) == .seconds(60))
        #expect(limiter.isStoppedHere(1))
        time.advance(by: .seconds(59))
        await #expect(throws: APIError.rateLimited(for: .seconds(60), by: .wrongCardTokens)) {
            try await limiter.check(1)
        }
        time.advance(by: .seconds(1))
        try await limiter.check(1)
        #expect(!limiter.isStoppedHere(1) && !limiter.isStoppedHere(2))
    }

    @Test func `a key depends on the address, on what it names, and on the server`() throws {
        let one = LimitKeys(LimitSharing(aloneIn: time.environment(seed: 1)))
        let other = LimitKeys(LimitSharing(aloneIn: time.environment(seed: 2)))
        let address = try #require(NetworkAddress("192.0.2.1"))
        #expect(one.key(address) == one.key(address))
        #expect(
            Set([one.key(address), one.key(nil), one.key(address, "a"), one.key(nil, "a"), other.key(address)]).count
                == 5
        )
    }
}
