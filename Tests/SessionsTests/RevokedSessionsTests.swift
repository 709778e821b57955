import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import Sessions

struct RevokedSessionsTests {
    private static let start = Instant(seconds: 1_800_000_000)
    private static let account = AccountID(UUIDBits(high: 0xA, low: 1))
    private let revoked = RevokedSessions(lasting: .seconds(100), startedAt: start, limit: 8)

    private func asks(_ session: UInt64, _ issued: Int64, of account: AccountID = account) -> Bool {
        revoked.mayInclude(Self.id(session), of: account, issuedAt: Self.start + .seconds(issued))
    }

    // T-097
    @Test func `before the store has answered, every older token is looked up`() async throws {
        #expect(asks(1, 0) && asks(1, -50))
        #expect(!asks(1, 1), "this process would know of its revocation")
        try await revoked.restore(from: MemorySessionStore(), at: Self.start)
        #expect(!asks(1, -50))
    }

    // T-097
    @Test func `a session that was revoked before a start is known after it, and so is one revoked meanwhile`()
        async throws
    {
        let store = MemorySessionStore()
        let environment = VirtualTime(wall: Self.start - .seconds(50)).environment()
        let service = SessionService(
            environment: environment,
            store: store,
            auditLog: RecordingAuditLog(),
            revoked: revoked
        )
        try await store.run { transaction in
            try service.open(Self.order(1), in: transaction)
            try service.open(Self.order(2), in: transaction)
            _ = try store.revoke(
                Self.id(1),
                of: Self.account,
                because: .signedOut,
                at: Self.start - .seconds(50),
                in: transaction
            )
        }
        revoked.note(Self.id(3), at: Self.start)
        try await revoked.restore(from: store, at: Self.start)
        #expect(asks(1, -60) && asks(3, -60))
        #expect(!asks(2, -60))
    }

    // T-097
    @Test func `attack: after the clock was set back, tokens that seem younger than the revocation are looked up`()
        async throws
    {
        let store = MemorySessionStore()
        let service = SessionService(
            environment: VirtualTime(wall: Self.start).environment(),
            store: store,
            auditLog: RecordingAuditLog(),
            revoked: revoked
        )
        try await store.run { transaction in
            for (number, ago) in [(1, 699), (2, 701)] as [(UInt64, Int64)] {
                try service.open(Self.order(number), in: transaction)
                let at = Self.start - .seconds(ago)
                _ = try store.revoke(Self.id(number), of: Self.account, because: .signedOut, at: at, in: transaction)
            }
        }
        try await revoked.restore(from: store, at: Self.start)
        #expect(asks(1, -50) && asks(1, 100))
        #expect(!asks(2, -50), "nobody is suspected for ever")
    }

    @Test func `a revocation is dropped when every token of its time has expired`() async throws {
        try await revoked.restore(from: MemorySessionStore(), at: Self.start)
        for number in 1...4 as ClosedRange<UInt64> { revoked.note(Self.id(number), at: Self.start) }
        revoked.note(Self.id(5), at: Self.start + .seconds(699))
        #expect(revoked.count == 5 && asks(1, -1), "a clock that was set back by ten minutes makes tokens seem younger")
        revoked.note(Self.id(6), at: Self.start + .seconds(760))
        #expect(revoked.count == 2 && asks(5, 690) && asks(6, 750))
        #expect(!asks(1, 690))
    }

    // T-097
    @Test func `attack: a revoked token issued before the clock was set back is looked up until it expires`()
        async throws
    {
        try await revoked.restore(from: MemorySessionStore(), at: Self.start)
        let ahead: Int64 = 3600
        #expect(!asks(1, ahead), "issued while the clock was an hour ahead")
        revoked.note(Self.id(1), at: Self.start)
        for later in stride(from: Int64(60), through: ahead + 100, by: 60) {
            revoked.note(Self.id(2), at: Self.start + .seconds(later))
            #expect(asks(1, ahead), "\(later) seconds later it is good still")
        }
    }

    // T-097
    @Test func `attack: a thousand revocations take bounded room, and each revoked token is looked up`() async throws {
        try await revoked.restore(from: MemorySessionStore(), at: Self.start)
        for number in 1...1000 as ClosedRange<UInt64> {
            revoked.note(Self.id(number), at: Self.start + .seconds(Int64(number) / 20))
            #expect(revoked.count <= 8)
            for earlier in stride(from: UInt64(1), through: number, by: 37) {
                #expect(asks(earlier, -10), "\(earlier) was revoked")
            }
        }
        #expect(!asks(5000, 60), "a token that was issued since is not suspected")
    }

    @Test func `those whose tokens are over make room first`() async throws {
        try await revoked.restore(from: MemorySessionStore(), at: Self.start)
        for number in 1...5 as ClosedRange<UInt64> { revoked.note(Self.id(number), at: Self.start) }
        for number in 6...9 as ClosedRange<UInt64> { revoked.note(Self.id(number), at: Self.start + .seconds(200)) }
        #expect(asks(6, 150) && asks(9, 150))
        #expect(!asks(77, 150), "no younger token has to be asked about")
    }

    private static func id(_ number: UInt64) -> SessionID { SessionID(UUIDBits(high: 5, low: number)) }

    private static func order(_ number: UInt64) -> NewSession {
        NewSession(
            session: Session(
                id: id(number),
                account: account,
                client: "app",
                linkedDevice: nil,
                createdAt: start - .seconds(90),
                authentication: Session.Authentication(at: start - .seconds(90), methods: ["face"])
            ),
            refreshKey: HeldToken(session: id(number), generation: 0).key,
            refreshExpiresAt: start + .seconds(9000)
        )
    }

    // T-097
    @Test func `what another daemon revokes is looked up here, and so is everything of before a gap`() async throws {
        try await revoked.restore(from: MemorySessionStore(), at: Self.start)
        revoked.take(.message(.revoked(Self.id(1).bits)), at: Self.start, uptime: Uptime(nanoseconds: 0))
        #expect(asks(1, -5) && asks(1, 5))
        #expect(!asks(2, -5))
        revoked.take(.message(.stopping), at: Self.start, uptime: Uptime(nanoseconds: 0))
        #expect(!asks(2, -5))
        revoked.take(.gap, at: Self.start + .seconds(5), uptime: Uptime(nanoseconds: 0))
        #expect(asks(2, -5) && asks(2, 5))
        #expect(asks(2, 7), "the clock of the daemon that issued it may be ahead")
        #expect(!asks(2, 8))
    }

    // T-097
    @Test func `attack: a revocation whose message was lost holds before and after the store is read again`()
        async throws
    {
        let store = MemorySessionStore()
        let uptime = { (seconds: Int64) in Uptime(nanoseconds: seconds * 1_000_000_000) }
        try await revoked.restore(from: store, at: Self.start)
        revoked.take(.gap, at: Self.start, uptime: uptime(0))
        // Too early: what was announced may not be durable yet.
        try await revoked.mend(from: store, at: Self.start + .seconds(29), uptime: uptime(29))
        #expect(asks(1, -5))
        let service = SessionService(
            environment: VirtualTime(wall: Self.start).environment(),
            store: store,
            auditLog: RecordingAuditLog(),
            revoked: RevokedSessions(lasting: .seconds(100), startedAt: Self.start)
        )
        try await store.run { transaction in
            try service.open(Self.order(1), in: transaction)
            _ = try store.revoke(
                Self.id(1),
                of: Self.account,
                because: .signedOut,
                at: Self.start,
                in: transaction
            )
        }
        try await revoked.mend(from: store, at: Self.start + .seconds(30), uptime: uptime(30))
        #expect(asks(1, -5))
        #expect(!asks(2, -5), "it costs no read any more")
        // The memory does not grow each time.
        revoked.take(.gap, at: Self.start + .seconds(31), uptime: uptime(31))
        let count = revoked.count
        try await revoked.mend(from: store, at: Self.start + .seconds(62), uptime: uptime(62))
        #expect(revoked.count == count && count == 1)
    }

    // T-097
    @Test func `each revocation is told to other daemons, and one that they told is not told again`() {
        let feed = RecordingFeed()
        let telling = RevokedSessions(lasting: .seconds(100), startedAt: Self.start, feed: feed)
        telling.note(Self.id(1), at: Self.start)
        telling.noteAll(of: Self.account, at: Self.start)
        telling.take(.message(.revoked(Self.id(2).bits)), at: Self.start, uptime: Uptime(nanoseconds: 0))
        #expect(feed.messages == [.revoked(Self.id(1).bits), .revoked(Self.account.bits)])
    }
}

private final class RecordingFeed: ChangeFeed {
    private let sent = Mutex<[FeedMessage]>([])

    var messages: [FeedMessage] { sent.withLock(\.self) }

    func announce(_ message: FeedMessage) { sent.withLock { $0.append(message) } }
    func events() -> AsyncStream<FeedEvent> { AsyncStream { $0.finish() } }
}
