import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import Sessions

/// Sessions that expired are found in the order of their expiry, and told once.
struct SessionExpiriesTests {
    private static let start = Instant(seconds: 1_800_000_000)
    private static let lifetime = Duration.seconds(1000)

    private let store = MemorySessionStore()
    private let notices = RecordedExpiries()
    private let expiries: SessionExpiries

    init() {
        let units = CountedUnits(store: store, notices: notices)
        expiries = SessionExpiries(store: store, notices: notices, unitOfWork: units)
    }

    @Test func `a session that expired is told at the next look, and at no later one`() async throws {
        try await expiries.note(at: Self.start)
        try await open(1...3)
        let end = Self.start + Self.lifetime
        #expect(try await expiries.note(at: end + SessionExpiries.margin - .milliseconds(1)) == 0)
        #expect(try await expiries.note(at: end + SessionExpiries.margin) == 3)
        #expect(try await expiries.note(at: end + SessionExpiries.margin) == 0)
        #expect(try await expiries.note(at: end + .seconds(9000)) == 0)
        #expect(notices.told.map(\.id.bits.low).sorted() == [1, 2, 3])
        #expect(notices.told.allSatisfy { $0.client == "app" && $0.account == Self.account })
    }

    @Test func `only sessions of clients that want to be told are noted`() async throws {
        try await expiries.note(at: Self.start)
        try await open(1...2)
        try await open(3...4, client: "other")
        #expect(try await expiries.note(at: Self.start + .seconds(2000)) == 2)
        #expect(notices.told.map(\.id.bits.low).sorted() == [1, 2])
    }

    @Test func `a session that was refreshed is told when its last token expired`() async throws {
        try await expiries.note(at: Self.start)
        try await open(1...1)
        try await rotate(1, at: Self.start + .seconds(600))
        #expect(try await expiries.note(at: Self.start + .seconds(1500)) == 0)
        #expect(try await expiries.note(at: Self.start + .seconds(1700)) == 1)
    }

    @Test func `more sessions than a page are all told, in small units`() async throws {
        try await expiries.note(at: Self.start)
        let count = UInt64(SessionExpiries.page * 2 + 50)
        try await open(1...count)
        #expect(try await expiries.note(at: Self.start + .seconds(2000)) == Int(count))
        #expect(Set(notices.told.map(\.id)).count == Int(count) && notices.told.count == Int(count))
        #expect(notices.largestUnit == SessionExpiries.unit)
    }

    @Test func `a look that fails tells nobody, and the next one tells all`() async throws {
        try await expiries.note(at: Self.start)
        try await open(1...3)
        notices.fail(after: 2)
        await #expect(throws: FullError.self) { try await expiries.note(at: Self.start + .seconds(2000)) }
        #expect(notices.told.isEmpty, "undone with the unit")
        #expect(try await expiries.note(at: Self.start + .seconds(9000)) == 3)
        #expect(notices.told.count == 3)
    }

    @Test func `a token that was stored late is found, and the first look begins at its own time`() async throws {
        try await open(1...1)
        let end = Self.start + Self.lifetime + .seconds(100)
        #expect(try await expiries.note(at: end) == 0, "it expired before the first look")
        try await open(2...2)
        #expect(try await expiries.note(at: end + .seconds(10)) == 2, "both expired shortly before it")
    }

    @Test func `a look that finds nobody to tell writes at most every half minute`() async throws {
        try await expiries.note(at: Self.start)
        try await open(1...500, client: "other")
        func kept() async throws -> Instant? { try await store.run { [store] in try store.expiriesNotedUntil(in: $0) } }
        let (first, late) = (Self.start - SessionExpiries.margin, Self.start + .seconds(1010))
        #expect(try await kept() == first)
        try await expiries.note(at: Self.start + .seconds(900))
        #expect(try await kept() == first, "no token expired")
        try await expiries.note(at: late)
        #expect(try await kept() == late - SessionExpiries.margin)
        try await expiries.note(at: late + .seconds(29))
        #expect(try await kept() == late - SessionExpiries.margin)
        try await expiries.note(at: late + .seconds(30))
        #expect(try await kept() == late + .seconds(30) - SessionExpiries.margin)
    }

    @Test func `two looks at once tell each session once`() async throws {
        try await expiries.note(at: Self.start)
        try await open(1...50)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { [expiries] in try await expiries.note(at: Self.start + .seconds(2000)) }
            }
            return try await group.reduce(into: 0) { $0 += $1 }
        }
        #expect(counts == 50)
    }

    @Test func `a mark of a clock that was ahead hides no session`() async throws {
        try await expiries.note(at: Self.start + .seconds(50_000))
        try await open(1...1)
        #expect(try await expiries.note(at: Self.start + .seconds(500)) == 0)
        #expect(try await expiries.note(at: Self.start + .seconds(1010)) == 1)
    }

    private static let account = AccountID(UUIDBits(high: 0xA, low: 1))

    private static func key(_ number: UInt64) -> Digest256 { Digest256(sha256: "row \(number)") }

    private func open(_ numbers: ClosedRange<UInt64>, client: String = "app") async throws {
        try await store.run { [store] transaction in
            for number in numbers {
                let session = Session(
                    id: SessionID(UUIDBits(high: 5, low: number)),
                    account: Self.account,
                    client: client,
                    linkedDevice: nil,
                    createdAt: Self.start,
                    authentication: Session.Authentication(at: Self.start, methods: ["face"])
                )
                let token = Self.token(number, of: session.id, at: Self.start)
                try store.insert(session, token, face: nil, in: transaction)
            }
        }
    }

    private func rotate(_ number: UInt64, at now: Instant) async throws {
        let session = SessionID(UUIDBits(high: 5, low: number))
        let child = Self.token(number + 1000, of: session, parent: Self.key(number), at: now)
        let isRotated = try await store.run { [store] in
            try store.rotate(into: child, parentEndsAt: now + .seconds(1), isProven: false, in: $0)
        }
        #expect(isRotated)
    }

    private static func token(
        _ number: UInt64,
        of session: SessionID,
        parent: Digest256? = nil,
        at now: Instant
    ) -> RefreshToken {
        RefreshToken(
            key: key(number),
            session: session,
            lineage: RefreshToken.Lineage(family: parent ?? key(number), parent: parent, child: nil),
            issuedAt: now,
            expiresAt: now + lifetime,
            firstUsedAt: nil
        )
    }
}

private struct FullError: Error {}

/// Wants to be told of one client's sessions, and remembers which it was told of by units that became durable.
private final class RecordedExpiries: SessionExpiryNotices {
    private struct State {
        var unit = 0
        var told: [ExpiredSession] = []
        var largestUnit = 0
        var left: Int?
    }

    private let state = Mutex(State())

    var told: [ExpiredSession] { state.withLock(\.told) }
    /// The most sessions of one run of a unit.
    var largestUnit: Int { state.withLock(\.largestUnit) }

    func wantsExpiries(of client: String) -> Bool { client == "app" }

    func beginUnit() { state.withLock { $0.unit = 0 } }

    /// Throws once, when so many more sessions were told.
    func fail(after count: Int) { state.withLock { $0.left = count } }

    func note(_ expired: ExpiredSession, in transaction: borrowing Transaction) throws {
        try state.withLock { state in
            state.unit += 1
            state.largestUnit = max(state.largestUnit, state.unit)
            guard let left = state.left else { return }
            state.left = left == 0 ? nil : left - 1
            guard left > 0 else { throw FullError() }
        }
        transaction.whenDurable { [self] in state.withLock { $0.told.append(expired) } }
    }
}

/// Tells the notices where each run of a unit begins.
private struct CountedUnits: UnitOfWork {
    let store: MemorySessionStore
    let notices: RecordedExpiries

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await store.run { [notices] transaction in
            notices.beginUnit()
            return try body(transaction)
        }
    }
}
