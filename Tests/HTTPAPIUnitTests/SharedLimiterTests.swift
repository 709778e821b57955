import Kernel
import MemoryStore
import OAuth
import Operations
import Testing

@testable import HTTPAPI

/// Limits of features on several daemons of one database.
struct SharedLimiterTests {
    private let time = VirtualTime()
    private let uses: MemorySharedUses
    private let peers = CountedPeers(2)

    init() { uses = MemorySharedUses(clock: time) }

    /// How one of the daemons shares limits: all have the same key.
    private func daemon() -> LimitSharing {
        LimitSharing(KeyedHash(key: Digest256(sha256: "the root")), uses: uses, nodes: peers, clock: time)
    }

    private func limiter(
        _ name: FixedLimit = .userCodes,
        burst: Int = 12,
        every period: Duration = .seconds(150),
        part: String = "",
        pausing pause: Duration? = nil
    ) -> Limiter {
        Limiter(name, RateLimit(burst: burst, every: period), part: part, pausing: pause, sharing: daemon())
    }

    /// Returns how many of so many uses a limiter admits.
    private func admitted(_ limiter: Limiter, of count: Int, _ key: UInt64 = 1) async -> Int {
        var admitted = 0
        for _ in 0..<count where (try? await limiter.take(key)) != nil { admitted += 1 }
        return admitted
    }

    // T-273
    @Test func `attack: tries that are spread over daemons never exceed the limit of one`() async throws {
        peers.count = 3
        let daemons = [limiter(), limiter(), limiter()]
        var admitted = 0
        for number in 0..<60 where (try? await daemons[number % 3].take(7)) != nil { admitted += 1 }
        #expect(admitted == 12)
        for daemon in daemons {
            await #expect(throws: APIError.rateLimited(for: .seconds(150), by: .userCodes)) { try await daemon.take(7) }
        }
        #expect(await self.admitted(daemons[1], of: 1, 8) == 1, "another key is not affected")
        time.advance(by: .seconds(150))
        #expect(await self.admitted(daemons[0], of: 5, 7) == 1)
        #expect(await self.admitted(daemons[2], of: 5, 7) == 0)
    }

    // T-273
    @Test func `attack: a flood with one key asks the database a few times, on each daemon`() async {
        let (first, second) = (limiter(), limiter())
        #expect(await admitted(first, of: 1000) == 12)
        #expect(uses.statements == 12, "the daemon's own table refused the others")
        #expect(await admitted(second, of: 1000) == 0)
        #expect(uses.statements == 13, "the refusal was kept until it ends")
    }

    @Test func `a limit that can't be counted refuses with 503 and a time to try again`() async throws {
        let limiter = limiter(.wrongAnswersPerDevice, burst: 4, pausing: .seconds(60))
        uses.fail(with: .unavailable(cause: "an outage"))
        let refused = await #expect(throws: APIError.self) { try await limiter.take(1) }
        #expect(refused == .storeUnavailable && refused?.retryAfter == 5)
        await #expect(throws: APIError.storeUnavailable) { try await limiter.check(1) }
        await #expect(throws: APIError.storeUnavailable) { try await limiter.note(1) }
        uses.fail(with: nil)
        try await limiter.check(1)
    }

    @Test func `a large limit is divided by the number of daemons, in its burst and its rate`() async {
        peers.count = 3
        let limiter = limiter(burst: 60, every: .seconds(5))
        #expect(await admitted(limiter, of: 100) == 20)
        time.advance(by: .seconds(15))
        #expect(await admitted(limiter, of: 100) == 1)
        #expect(uses.statements == 0)
    }

    @Test func `a daemon without others counts as before, and asks nobody`() async throws {
        peers.count = 1
        let (limiter, large) = (limiter(pausing: .seconds(60)), limiter(burst: 60, every: .seconds(5)))
        #expect(await admitted(limiter, of: 100) == 12)
        await #expect(throws: APIError.self) { try await limiter.check(1) }
        await limiter.giveBack(1)
        #expect(await admitted(large, of: 100) == 60)
        #expect(uses.statements == 0)
    }

    // T-273
    @Test func `attack: while the leases of others are over for a moment, their tries still count`() async {
        let (first, second) = (limiter(), limiter())
        #expect(await admitted(first, of: 12) == 12)
        #expect(await admitted(second, of: 1) == 0)
        peers.count = 1
        time.advance(by: .seconds(149))
        #expect(await admitted(second, of: 12) == 0)
        time.advance(by: .seconds(601))
        let before = uses.statements
        // Its own table has what the database refused: seven of twelve are still paid for.
        #expect(await admitted(second, of: 12) == 5, "it has been alone for ten minutes")
        #expect(uses.statements == before)
    }

    // T-273
    @Test func `attack: a key that is stopped on one daemon is stopped on the others, for the rest of its pause`()
        async throws
    {
        let name = FixedLimit.wrongAnswersPerDevice
        let daemons = [0, 1].map { _ in limiter(name, burst: 4, every: .seconds(12), pausing: .seconds(60)) }
        for _ in 0..<4 { #expect(try await daemons[0].note(1) == nil) }
        try await daemons[1].check(1)
        #expect(try await daemons[1].note(1) == .seconds(60), "the fifth wrong answer, wherever it was given")
        await #expect(throws: APIError.rateLimited(for: .seconds(60), by: name)) { try await daemons[0].check(1) }
        #expect(daemons[0].isStoppedHere(1))
        time.advance(by: .seconds(60))
        try await daemons[0].check(1)
        try await daemons[1].check(1)
    }

    @Test func `a use that is given back is free for every daemon`() async {
        let (first, second) = (limiter(burst: 1), limiter(burst: 1))
        #expect(await admitted(first, of: 1) == 1)
        await first.giveBack(1)
        #expect(await admitted(second, of: 2) == 1)
    }

    @Test func `several limits are checked with one statement, and the first one that is reached refuses`()
        async throws
    {
        let (tries, rotations) = (limiter(.refreshesPerToken, burst: 1), limiter(.refreshesPerSession, burst: 1))
        try await limiter(.refreshesPerSession, burst: 1).take(2)
        let before = uses.statements
        await #expect(throws: APIError.rateLimited(for: .seconds(150), by: .refreshesPerSession)) {
            try await Limiter.check([(tries, 1), (rotations, 2)])
        }
        #expect(uses.statements == before + 1)
        try await Limiter.check([(tries, 2), (rotations, 1)])
    }

    // T-273
    @Test func `limits with different names or parts share no row`() async {
        for limiter in [limiter(burst: 1), limiter(.banks, burst: 1), limiter(.banks, burst: 1, part: "syncs")] {
            #expect(await admitted(limiter, of: 2) == 1)
        }
        #expect(uses.keys == 3)
    }

    // T-273
    @Test func `attack: failures with made-up client ids cost no more rows than an address may ask for`() async throws {
        let limits = ClientLimits(sharing: daemon())
        let address = try #require(NetworkAddress("192.0.2.1"))
        for number in 0..<1000 {
            let attempt = limits.attempt(of: credentials("made-up-\(number)"), isKnown: false, from: address)
            try limits.admit(attempt)
            try await limits.noteFailure(attempt)
        }
        // Half of two hundred, because there are two daemons.
        #expect(uses.keys == 100)
        let known = limits.attempt(of: credentials("known"), isKnown: true, from: address)
        for _ in 0..<20 { try await limits.noteFailure(known) }
        // Another daemon learns of them from its own next failure, and until then asks nobody.
        let other = ClientLimits(sharing: daemon())
        let before = uses.statements
        try other.admit(known)
        #expect(uses.statements == before)
        try await other.noteFailure(known)
        #expect(throws: APIError.self) { try other.admit(known) }
    }

    private func credentials(_ id: String) -> ClientCredentials {
        ClientCredentials(
            basic: nil,
            clientID: id,
            clientSecret: nil,
            assertionType: nil,
            assertion: nil,
            audiences: []
        )
    }

    // T-273
    @Test func `attack: texts that are no tokens become no rows`() async throws {
        let limits = RefreshLimits(sharing: daemon())
        for number in 0..<100 { try await limits.noteForeign("text \(number)") }
        for _ in 0..<5 { try await limits.noteForeign("repeated") }
        await #expect(throws: APIError.self) { try await limits.noteForeign("repeated") }
        #expect(uses.statements == 0)
    }
}
