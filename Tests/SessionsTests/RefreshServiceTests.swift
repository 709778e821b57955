import Kernel
import MemoryStore
import Testing

@testable import Sessions

/// Refreshing, over a store.
struct RefreshServiceTests {
    private static let proofKey = Digest256([UInt8](repeating: 0xB, count: 32)) ?? .zero
    private let fixture = RefreshFixture()

    @Test func `the same parent gives the same child, whoever asks and however often`() async throws {
        let parent = try await fixture.open()
        let first = try #require(try await successor(of: parent))
        #expect(
            first.key == parent.next.key && first.lineage.parent == parent.key && first.lineage.family == parent.key
        )
        fixture.time.advance(by: .seconds(29))
        #expect(try await successor(of: parent) == first, "the row as it was, times and all")
        #expect(fixture.store.tokens.count == 2)
    }

    @Test func `a hundred at once make one row`() async throws {
        let (fixture, parent) = (fixture, try await fixture.open())
        let outcomes = try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await fixture.refresh(parent) } }
            return try await group.reduce(into: [RefreshOutcome]()) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.told == outcomes[0].told })
        let rotations = outcomes.count { if case .granted(let grant) = $0 { grant.isRotation } else { false } }
        #expect(rotations == 1)
        #expect(fixture.store.tokens.count == 2)
    }

    // T-091
    @Test func `a refresh token reused after the grace period ends the session once, as refresh_reuse`() async throws {
        let parent = try await fixture.open()
        _ = try await fixture.refresh(parent)
        fixture.time.advance(by: .seconds(31))
        #expect(try await fixture.refresh(parent) == .refused(.reused))
        #expect(try await fixture.reasonOfEnd(parent.session) == .refreshReuse)
        #expect(try await fixture.refresh(parent.next) == .refused(.sessionOver), "the other holder is out as well")
        #expect(try await fixture.refresh(parent) == .refused(.sessionOver))
    }

    // T-090
    @Test func `attack: a replaced token at another client's route is unknown and ends no session`()
        async throws
    {
        let parent = try await fixture.open()
        _ = try await fixture.refresh(parent)
        fixture.time.advance(by: .seconds(31))
        for clients: Set<String> in [["wallet"], []] {
            #expect(try await fixture.refresh(parent, at: clients) == .refused(.unknown))
            #expect(try await fixture.refresh(parent.next, at: clients) == .refused(.unknown))
        }
        for _ in 0..<2 { fixture.time.advance(by: RefreshFixture.day) }
        try await fixture.sweep()
        #expect(try await fixture.refresh(parent, at: ["wallet"]) == .refused(.unknown), "nor once its row is gone")
        #expect(try await fixture.reasonOfEnd(parent.session) == nil)
        #expect(try await successor(of: parent.next) != nil)
    }

    @Test func `a token is current until it is replaced, for its own client and session, and asking changes nothing`()
        async throws
    {
        let (parent, other) = (try await fixture.open(), try await fixture.open(2, client: "gone"))
        #expect(try await fixture.isCurrent(parent))
        #expect(try await fixture.isCurrent(parent), "it was used up by nobody")
        #expect(try await fixture.isCurrent(parent, of: "wallet") == false)
        #expect(try await fixture.isCurrent(other, of: "gone") == false, "a client that is gone has no policy")
        #expect(try await fixture.isCurrent(parent.next) == false, "there is none yet")
        _ = try await fixture.refresh(parent)
        #expect(try await fixture.isCurrent(parent) == false, "not even within the grace")
        #expect(try await fixture.isCurrent(parent.next))
        #expect(try await fixture.reasonOfEnd(parent.session) == nil)
    }

    @Test func `no token of a session that is over, of a disabled account or of long ago is current`() async throws {
        let parent = try await fixture.open()
        try await fixture.revoke(parent.session)
        #expect(try await fixture.isCurrent(parent) == false)
        let second = try await fixture.open(2)
        fixture.time.advance(by: RefreshFixture.day * 30)
        #expect(try await fixture.isCurrent(second) == false)
        let third = try await fixture.open(3)
        fixture.disableAccount()
        #expect(try await fixture.isCurrent(third) == false)
    }

    // T-091
    @Test func `a token two generations old is superseded within the grace period and reused after it`() async throws {
        let parent = try await fixture.open()
        _ = try await fixture.refresh(parent)
        _ = try await fixture.refresh(parent.next)
        #expect(try await fixture.refresh(parent) == .refused(.superseded), "within the grace nobody is hurt")
        #expect(try await fixture.refresh(parent.next.next) != .refused(.sessionOver))
        fixture.time.advance(by: .seconds(31))
        #expect(try await fixture.refresh(parent) == .refused(.reused))
    }

    // T-091
    @Test func `attack: a replaced token still ends the session after its row was swept`() async throws {
        let parent = try await fixture.open()
        _ = try await fixture.refresh(parent)
        for _ in 0..<2 { fixture.time.advance(by: RefreshFixture.day) }
        try await fixture.sweep()
        #expect(fixture.store.tokens.map(\.key) == [parent.next.key], "the row is gone")
        #expect(try await fixture.refresh(parent) == .refused(.reused))
        #expect(try await fixture.reasonOfEnd(parent.session) == .refreshReuse)
    }

    @Test func `attack: a swept token of a key-bound session without the key ends no session`() async throws {
        let parent = try await fixture.open(binding: .deviceKey)
        _ = try await fixture.refresh(parent, shows: ScriptedSubjects.key)
        for _ in 0..<2 { fixture.time.advance(by: RefreshFixture.day) }
        try await fixture.sweep()
        #expect(try await fixture.refresh(parent) == .refused(.proofRequired))
        #expect(try await fixture.refresh(parent, shows: ScriptedSubjects.credential) == .refused(.proofRequired))
        #expect(try await fixture.reasonOfEnd(parent.session) == nil)
    }

    // T-095
    @Test func `attack: a DPoP-bound session needs its key at each refresh, and replays a lost answer for a day`()
        async throws
    {
        let (key, other) = (Self.proofKey, Digest256.zero)
        let parent = try await fixture.open(proofKey: key)
        for proof in [nil, other] as [Digest256?] {
            #expect(try await fixture.refresh(parent, proves: proof) == .refused(.boundKeyRequired))
        }
        #expect(try await fixture.refresh(parent, shows: ScriptedSubjects.key) == .refused(.boundKeyRequired))
        let first = try await fixture.refresh(parent, proves: key)
        fixture.time.advance(by: .seconds(23 * 3600))
        #expect(try await fixture.refresh(parent, proves: key).told == first.told, "the answer was lost")
        fixture.time.advance(by: .seconds(2 * 3600))
        #expect(try await fixture.refresh(parent) == .refused(.boundKeyRequired))
        #expect(try await fixture.reasonOfEnd(parent.session) == nil)
        #expect(try await fixture.refresh(parent, proves: key) == .refused(.reused))
    }

    // T-095
    @Test func `attack: a swept token of a DPoP-bound session without the key ends no session`()
        async throws
    {
        let key = Self.proofKey
        let parent = try await fixture.open(proofKey: key)
        _ = try await fixture.refresh(parent, proves: key)
        for _ in 0..<2 { fixture.time.advance(by: RefreshFixture.day) }
        try await fixture.sweep()
        #expect(try await fixture.refresh(parent) == .refused(.boundKeyRequired))
        #expect(try await fixture.reasonOfEnd(parent.session) == nil)
        #expect(try await fixture.refresh(parent, proves: key) == .refused(.reused))
    }

    @Test func `a proof beside a token of a session that is bound to none changes nothing`() async throws {
        let parent = try await fixture.open()
        let first = try await fixture.refresh(parent, proves: Self.proofKey)
        #expect(try await fixture.refresh(parent).told == first.told)
        fixture.time.advance(by: .seconds(31))
        #expect(try await fixture.refresh(parent, proves: Self.proofKey) == .refused(.reused))
    }

    // T-253
    @Test func `rows stay few: each refresh leaves one, and a day later it is deleted`() async throws {
        var held = try await fixture.open()
        for _ in 0..<80 {
            _ = try #require(try await successor(of: held))
            held = held.next
            fixture.time.advance(by: RefreshFixture.day)
            try await fixture.sweep()
            #expect(fixture.store.tokens.count <= 3)
        }
    }

    @Test func `a refresh after the absolute lifetime fails, however busy the session was`() async throws {
        var held = try await fixture.open()
        for _ in 0..<89 {
            fixture.time.advance(by: RefreshFixture.day)
            let next = try #require(try await successor(of: held))
            #expect(next.expiresAt <= fixture.time.wall + RefreshFixture.day * 30)
            held = held.next
        }
        fixture.time.advance(by: RefreshFixture.day)
        #expect(try await fixture.refresh(held) == .refused(.expired))
    }

    // T-090
    @Test func `a disabled account, a client that is gone and another's token get nothing`() async throws {
        let held = try await fixture.open()
        let attacker = AccountID(UUIDBits(high: 0xA, low: 2))
        #expect(try await fixture.refresh(held, as: attacker) == .refused(.unknown))
        let gone = try await fixture.open(2, client: "gone")
        #expect(try await fixture.refresh(gone) == .refused(.sessionOver))
        let outsider = HeldToken(session: SessionID(UUIDBits(high: 5, low: 9)), generation: 0)
        #expect(try await fixture.refresh(outsider) == .refused(.unknown))
        fixture.disableAccount()
        #expect(try await fixture.refresh(held) == .refused(.sessionOver))
        #expect(fixture.store.tokens.count == 2)
    }

    @Test func `an app that keeps its token gets none, and its first use is noted`() async throws {
        let fixed = RefreshFixture(rotation: .cookieOnly)
        let held = try await fixed.open()
        for _ in 0..<3 {
            guard case .granted(let grant) = try await fixed.refresh(held) else {
                Issue.record("refused")
                return
            }
            #expect(grant.successor == nil)
        }
        #expect(fixed.store.tokens.count == 1 && fixed.store.tokens[0].firstUsedAt == fixed.time.wall)
        #expect(try await fixed.refresh(held, carrier: .cookie) != .refused(.expired))
        #expect(fixed.store.tokens.count == 2, "a cookie is replaced")
    }

    @Test func `a refresh whose write failed throws, and the token stays current`() async throws {
        let held = try await fixture.open()
        fixture.store.failNext()
        await #expect(throws: StoreError.self) { try await fixture.refresh(held) }
        #expect(try await successor(of: held) != nil)
    }

    private func successor(of token: HeldToken) async throws -> RefreshToken? {
        guard case .granted(let grant) = try await fixture.refresh(token) else { return nil }
        return grant.successor
    }
}
