import Kernel
import Synchronization
import Testing

@testable import Sessions

struct SessionDeskTests {
    private let store = MemorySessionStore()
    private let unitOfWork = ImmediateUnitOfWork()
    private let clock = StoppedClock()
    private let desk: SessionDesk

    init() { desk = SessionDesk(facts: clock.facts, store: store) }

    @Test func `a session opens with the first refresh row of its family`() async throws {
        let session = Self.session(1)
        try await open(session, refreshKey: Self.digest(7))
        #expect(try await desk.find(session.id) == session)
        let token = try #require(store.tokens.first)
        #expect(
            token
                == RefreshToken(
                    key: Self.digest(7),
                    session: session.id,
                    family: Self.digest(7),
                    parent: nil,
                    child: nil,
                    issuedAt: session.createdAt,
                    expiresAt: session.createdAt + .seconds(1000),
                    firstUsedAt: nil
                )
        )
    }

    @Test func `a session has no end until it is revoked; one that nobody opened is not there`() async throws {
        let session = Self.session(1)
        #expect(try await desk.find(session.id) == nil)
        try await open(session)
        #expect(try await desk.find(session.id)?.revokedAt == nil)
        #expect(try await revokeAll(session) == 1)
        #expect(try await desk.find(session.id)?.revokedAt == clock.instant)
    }

    @Test func `revoking all of an account leaves the others alone`() async throws {
        let other = Self.session(3, account: 2)
        try await open(Self.session(1))
        try await open(Self.session(2))
        try await open(other)
        #expect(try await revokeAll(Self.session(1)) == 2)
        #expect(try await desk.find(other.id) == other)
        #expect(try await revokeAll(Self.session(1)) == 0, "a second time there is nothing left")
    }

    @Test func `a session is revoked once, and by its own account`() async throws {
        let (session, other) = (Self.session(1), Self.session(2))
        try await open(session)
        try await open(other, refreshKey: Self.digest(2))
        let thief = AccountID(UUIDBits(high: 0xA, low: 2))
        #expect(try await revoke(session.id, of: thief) == nil)
        #expect(try await desk.standing(among: [session.id, other.id]) == [session.id, other.id])
        #expect(try await revoke(session.id, of: session.account) == RevokedSession(device: session.device))
        #expect(try await revoke(session.id, of: session.account) == nil, "there is nothing left to revoke")
        #expect(try await desk.standing(among: [session.id, other.id]) == [other.id])
        #expect(try await desk.standing(among: []).isEmpty)
    }

    @Test func `a fault of the store while opening reaches the caller as it is`() async throws {
        store.failNext()
        await #expect(throws: StoreFailure.unavailable(cause: "scripted")) { try await open(Self.session(1)) }
        #expect(try await desk.find(Self.session(1).id) == nil)
    }

    private func open(_ session: Session, refreshKey: Digest256 = digest(1)) async throws {
        let order = SessionOpeningOrder(
            session: session,
            refreshKey: refreshKey,
            refreshExpiresAt: session.createdAt + .seconds(1000)
        )
        try await unitOfWork.run { [desk] transaction in try desk.open(order, in: transaction) }
    }

    private func revokeAll(_ session: Session) async throws -> Int {
        try await unitOfWork.run { [desk] in try desk.revokeAll(of: session.account, in: $0) }
    }

    private func revoke(_ session: SessionID, of account: AccountID) async throws -> RevokedSession? {
        try await unitOfWork.run { [desk] in try desk.revoke(session, of: account, in: $0) }
    }

    private static func digest(_ byte: UInt8) -> Digest256 { Digest256(Array(repeating: byte, count: 32)) ?? .zero }

    private static func session(_ number: UInt64, account: UInt64 = 1) -> Session {
        Session(
            id: SessionID(UUIDBits(high: 5, low: number)),
            account: AccountID(UUIDBits(high: 0xA, low: account)),
            client: "app",
            device: DeviceID(UUIDBits(high: 0xD, low: 1)),
            createdAt: Instant(seconds: 1_800_000_000),
            authenticatedAt: Instant(seconds: 1_799_999_990),
            methods: ["face"],
            revokedAt: nil
        )
    }
}

/// Sessions in memory.
private final class MemorySessionStore: SessionStore {
    private let state = Mutex(State())

    var tokens: [RefreshToken] { state.withLock(\.tokens) }

    /// The next insert fails.
    func failNext() { state.withLock { $0.fails = true } }

    func insert(_ session: Session, _ token: RefreshToken, in transaction: borrowing Transaction) throws {
        try state.withLock { state in
            guard !state.fails else { throw StoreFailure.unavailable(cause: "scripted") }
            state.sessions[session.id] = session
            state.tokens.append(token)
        }
    }

    func find(_ id: SessionID) async throws -> Session? { state.withLock { $0.sessions[id] } }

    func standing(among sessions: Set<SessionID>, at now: Instant) async throws -> Set<SessionID> {
        state.withLock { state in
            sessions.filter { id in
                state.sessions[id].map { $0.revokedAt == nil } ?? false
                    && state.tokens.contains { $0.session == id && $0.expiresAt > now }
            }
        }
    }

    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        state.withLock { $0.sessions[session].map { $0.account == account && $0.revokedAt == nil } ?? false }
    }

    func revoke(
        _ session: SessionID,
        of account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> RevokedSession? {
        state.withLock { state in
            guard let found = state.sessions[session], found.account == account, found.revokedAt == nil else {
                return nil
            }
            state.sessions[session] = found.revoked(at: now)
            return RevokedSession(device: found.device)
        }
    }

    func revokeAll(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        state.withLock { state in
            let live = state.sessions.values.filter { $0.account == account && $0.revokedAt == nil }
            for session in live { state.sessions[session.id] = session.revoked(at: now) }
            return live.count
        }
    }

    func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        state.withLock { state in
            let ended = state.tokens.filter { $0.expiresAt < instant }.prefix(limit)
            state.tokens.removeAll { ended.contains($0) }
            for token in ended { state.sessions[token.session] = nil }
            return ended.count
        }
    }

    private struct State {
        var sessions: [SessionID: Session] = [:]
        var tokens: [RefreshToken] = []
        var fails = false
    }
}

extension Session {
    fileprivate func revoked(at now: Instant) -> Session {
        Session(
            id: id,
            account: account,
            client: client,
            device: device,
            createdAt: createdAt,
            authenticatedAt: authenticatedAt,
            methods: methods,
            revokedAt: now
        )
    }
}

/// Runs each unit at once.
private struct ImmediateUnitOfWork: UnitOfWork {
    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try body(Transaction(context: Context()))
    }

    private final class Context {}
}

/// Time that stands still.
private struct StoppedClock: MonotonicClock {
    let instant = Instant(seconds: 1_800_000_100)
    var now: Uptime { Uptime(nanoseconds: 0) }
    func sleep(until deadline: Uptime) async throws {}
    var facts: Facts { Facts(now: { instant }, clock: self, randomBytes: { Array(repeating: 1, count: $0) }) }
}
