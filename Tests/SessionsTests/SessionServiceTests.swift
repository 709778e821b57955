import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import Sessions

struct SessionServiceTests {
    private let store = MemorySessionStore()
    private let clock = StoppedClock()
    private let auditLog = RecordingAuditLog()
    private let notices = RecordingSessionEnds()
    private let service: SessionService

    init() {
        let revoked = RevokedSessions(lasting: .seconds(3600), startedAt: clock.instant - .seconds(9000))
        service = SessionService(
            environment: clock.environment,
            store: store,
            auditLog: auditLog,
            revoked: revoked,
            notices: notices
        )
    }

    @Test func `a session opens with the first refresh row of its family`() async throws {
        let session = Self.session(1)
        try await open(session, refreshKey: Self.digest(7))
        #expect(try await service.find(session.id) == session)
        let token = try #require(store.tokens.first)
        #expect(
            token
                == RefreshToken(
                    key: Self.digest(7),
                    session: session.id,
                    lineage: RefreshToken.Lineage(family: Self.digest(7), parent: nil, child: nil),
                    issuedAt: session.createdAt,
                    expiresAt: session.createdAt + .seconds(1000),
                    firstUsedAt: nil
                )
        )
    }

    @Test func `a session is open until it is revoked, and an unknown id finds none`() async throws {
        let session = Self.session(1)
        #expect(try await service.find(session.id) == nil)
        try await open(session)
        #expect(try await service.find(session.id)?.revocation == nil)
        #expect(try await revokeAll(session) == 1)
        #expect(try await service.find(session.id)?.revocation?.at == clock.instant)
    }

    @Test func `a session whose expiry was noted is revoked, and told to nobody again`() async throws {
        let (expired, other) = (Self.session(1), Self.session(2))
        try await open(expired, lifetime: .seconds(50))
        try await open(other, refreshKey: Self.digest(2))
        let end = clock.instant
        let noted = try await store.run { [store] in try store.noteExpiry(of: expired.id, by: end, in: $0) }
        #expect(noted?.id == expired.id)
        #expect(try await revokeAll(expired) == 2)
        #expect(notices.ended.map(\.ids) == [[other.id]])
        #expect(try await service.find(expired.id)?.revocation != nil)
    }

    @Test func `revoking all of an account leaves the others alone`() async throws {
        let other = Self.session(3, account: 2)
        try await open(Self.session(1))
        try await open(Self.session(2), refreshKey: Self.digest(2))
        try await open(other, refreshKey: Self.digest(3))
        #expect(try await revokeAll(Self.session(1)) == 2)
        #expect(try await service.find(other.id) == other)
        #expect(try await revokeAll(Self.session(1)) == 0, "a second time there is nothing left")
    }

    @Test(arguments: RevocationReason.allCases)
    func `every session that ends is told of, once, whatever the reason and however it is ended`(
        _ reason: RevocationReason
    ) async throws {
        for number in UInt64(1)...5 { try await open(Self.session(number), refreshKey: Self.digest(UInt8(number))) }
        let (account, ids) = (Self.session(1).account, (UInt64(1)...5).map { Self.session($0).id })
        let attacker = AccountID(UUIDBits(high: 0xA, low: 2))
        try await store.run { [service] transaction in
            _ = try service.revoke(ids[0], of: attacker, because: reason, in: transaction)
            _ = try service.revoke(ids[0], of: account, because: reason, in: transaction)
            _ = try service.revoke(ids[0], of: account, because: reason, in: transaction)
            try service.revoke([ids[0], ids[1], ids[2]], of: account, because: reason, in: transaction)
            _ = try service.revokeAll(of: account, except: ids[3], because: reason, in: transaction)
            _ = try service.revokeAll(of: account, except: ids[3], because: reason, in: transaction)
        }
        #expect(notices.ended.map(\.ids) == [[ids[0]], [ids[1], ids[2]], [ids[4]]])
        #expect(notices.ended.allSatisfy { $0.account == account && $0.reason == reason && $0.clients == ["app"] })
    }

    @Test func `all but one can be revoked`() async throws {
        let (kept, other) = (Self.session(1), Self.session(2))
        try await open(kept)
        try await open(other, refreshKey: Self.digest(2))
        let ended = try await store.run { [service] transaction in
            try service.revokeAll(of: kept.account, except: kept.id, because: .passwordChanged, in: transaction)
        }
        #expect(ended == 1)
        #expect(try await service.find(kept.id)?.revocation == nil)
        #expect(try await service.find(other.id)?.revocation?.reason == .passwordChanged)
    }

    @Test func `attack: revoking a session refuses its tokens at once and leaves other sessions open`()
        async throws
    {
        let gone = PasskeyID(UUIDBits(high: 0xC, low: 1))
        let (kept, attacker) = (Self.session(1, passkey: gone), Self.session(2, passkey: gone))
        let other = Self.session(3, passkey: PasskeyID(UUIDBits(high: 0xC, low: 2)))
        for (number, session) in [kept, attacker, other].enumerated() {
            try await open(session, refreshKey: Self.digest(UInt8(number)))
        }
        let ended = try await store.run { [service] transaction in
            try service.revoke([attacker.id], of: kept.account, because: .passkeyRemoved, in: transaction)
        }
        #expect(ended == 1)
        for (session, isOpen) in [(kept, true), (attacker, false), (other, true)] {
            let found = try await service.isOpen(session.id, of: session.account, issuedAt: session.createdAt)
            #expect(found == isOpen)
        }
        #expect(try await service.find(attacker.id)?.revocation?.reason == .passkeyRemoved)
        #expect(Set(auditLog.all) == [Self.revoked(attacker, .passkeyRemoved)])
    }

    @Test func `a session is revoked once, and by its own account`() async throws {
        let (session, other) = (Self.session(1), Self.session(2))
        try await open(session)
        try await open(other, refreshKey: Self.digest(2))
        let attacker = AccountID(UUIDBits(high: 0xA, low: 2))
        #expect(try await revoke(session.id, of: attacker) == nil)
        #expect(try await service.active(among: [session.id, other.id]) == [session.id, other.id])
        let ended = RevokedSession(id: session.id, client: session.client, device: session.linkedDevice?.id)
        #expect(try await revoke(session.id, of: session.account) == ended)
        #expect(try await revoke(session.id, of: session.account) == nil, "there is nothing left to revoke")
        #expect(try await service.active(among: [session.id, other.id]) == [other.id])
        #expect(try await service.active(among: []).isEmpty)
        #expect(try await service.find(session.id)?.revocation?.reason == .notMe)
        #expect(auditLog.all == [Self.revoked(session, .notMe)], "each is audited once")
    }

    @Test func `an access token is asked about at once when its session was revoked, alone or with all others`()
        async throws
    {
        let (one, other) = (Self.session(1), Self.session(2))
        try await open(one)
        try await open(other, refreshKey: Self.digest(2))
        func isOpen(_ session: Session) async throws -> Bool {
            try await service.isOpen(session.id, of: session.account, issuedAt: session.createdAt)
        }
        #expect(try await isOpen(one))
        #expect(try await isOpen(other))
        _ = try await revoke(one.id, of: one.account)
        #expect(try await !isOpen(one))
        #expect(try await isOpen(other))
        _ = try await revokeAll(other)
        #expect(try await !isOpen(other))
    }

    @Test func `a revocation that could not be written leaves the session open`() async throws {
        let session = Self.session(1)
        try await open(session)
        store.failNext()
        await #expect(throws: StoreError.self) { try await revoke(session.id, of: session.account) }
        #expect(try await service.isOpen(session.id, of: session.account, issuedAt: session.createdAt))
    }

    @Test func `a fault of the store while opening reaches the caller as it is`() async throws {
        store.failNext()
        await #expect(throws: StoreError.unavailable(cause: "injected before the commit")) {
            try await open(Self.session(1))
        }
        #expect(try await service.find(Self.session(1).id) == nil)
    }

    private func open(
        _ session: Session,
        refreshKey: Digest256 = digest(1),
        lifetime: Duration = .seconds(1000)
    ) async throws {
        let order = NewSession(
            session: session,
            refreshKey: refreshKey,
            refreshExpiresAt: session.createdAt + lifetime
        )
        try await store.run { [service] transaction in try service.open(order, in: transaction) }
    }

    private func revokeAll(_ session: Session) async throws -> Int {
        try await store.run { [service] in try service.revokeAll(of: session.account, because: .accountDisabled, in: $0)
        }
    }

    private func revoke(_ session: SessionID, of account: AccountID) async throws -> RevokedSession? {
        try await store.run { [service] in try service.revoke(session, of: account, because: .notMe, in: $0) }
    }

    private static func revoked(_ session: Session, _ reason: RevocationReason) -> AuditRecord {
        AuditRecord(SessionAuditEvent.revoked, of: session.id, account: session.account, detail: reason.rawValue)
    }

    private static func digest(_ byte: UInt8) -> Digest256 { Digest256(Array(repeating: byte, count: 32)) ?? .zero }

    private static func session(_ number: UInt64, account: UInt64 = 1, passkey: PasskeyID? = nil) -> Session {
        Session(
            id: SessionID(UUIDBits(high: 5, low: number)),
            account: AccountID(UUIDBits(high: 0xA, low: account)),
            client: "app",
            linkedDevice: Session.LinkedDevice(id: DeviceID(UUIDBits(high: 0xD, low: 1))),
            createdAt: Instant(seconds: 1_800_000_000),
            authentication: Session.Authentication(
                at: Instant(seconds: 1_799_999_990),
                methods: ["face"],
                passkey: passkey
            )
        )
    }
}

/// Time that stands still.
private struct StoppedClock: MonotonicClock {
    let instant = Instant(seconds: 1_800_000_100)
    var now: Uptime { Uptime(nanoseconds: 0) }
    func sleep(until deadline: Uptime) async throws {}
    var environment: Environment {
        Environment(now: { instant }, clock: self, randomBytes: { Array(repeating: 1, count: $0) })
    }
}

/// Remembers what ended.
private final class RecordingSessionEnds: SessionEndNotices {
    struct Ended {
        let ids: Set<SessionID>
        let clients: Set<String>
        let account: AccountID
        let reason: RevocationReason
    }

    private let all = Mutex<[Ended]>([])

    var ended: [Ended] { all.withLock { $0 } }

    func note(
        _ ended: [RevokedSession],
        of account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) {
        let (ids, clients) = (Set(ended.map(\.id)), Set(ended.map(\.client)))
        all.withLock { $0.append(Ended(ids: ids, clients: clients, account: account, reason: reason)) }
    }
}
