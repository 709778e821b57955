import Kernel
import MemoryStore
import Synchronization

@testable import Sessions

/// A store with one session in it, and a server over it that can be restarted, in virtual time.
final class RefreshFixture: Sendable {
    static let account = AccountID(UUIDBits(high: 0xA, low: 1))
    static let day = Duration.seconds(24 * 3600)

    let time = VirtualTime()
    let store = MemorySessionStore()
    let auditLog = RecordingAuditLog()
    private let accountIsActive = Mutex(true)
    private let server: Mutex<(service: RefreshService, sessions: SessionService)>
    private let policy: RefreshPolicy

    init(rotation: RefreshPolicy.Rotation = .always) {
        policy = RefreshPolicy(rotation: rotation, idleLifetime: Self.day * 30, absoluteLifetime: Self.day * 90)
        let sessions = SessionService(
            environment: time.environment(),
            store: store,
            auditLog: auditLog,
            revoked: RevokedSessions(lasting: .seconds(3600), startedAt: time.wall)
        )
        let nobody = ScriptedSubjects { _ in false }
        server = Mutex(
            (
                RefreshService(
                    environment: time.environment(),
                    unitOfWork: store,
                    store: store,
                    subjects: nobody,
                    sessions: sessions,
                    ending: AllSessions(sessions: sessions),
                    listening: ListeningSince(startedAt: time.wall),
                    policies: { _ in nil }
                ), sessions
            )
        )
        restart()
    }

    /// A new process over the same store.
    func restart() {
        let (environment, startedAt, policy) = (time.environment(), time.wall, policy)
        let sessions = SessionService(
            environment: environment,
            store: store,
            auditLog: auditLog,
            revoked: RevokedSessions(lasting: .seconds(3600), startedAt: startedAt)
        )
        let service = RefreshService(
            environment: environment,
            unitOfWork: store,
            store: store,
            subjects: ScriptedSubjects { [self] _ in !accountIsActive.withLock(\.self) },
            sessions: sessions,
            ending: AllSessions(sessions: sessions),
            listening: ListeningSince(startedAt: startedAt)
        ) { client in client == "app" ? policy : nil }
        server.withLock { $0 = (service, sessions) }
    }

    /// Opens the session; what its client then holds.
    func open(
        _ number: UInt64 = 1,
        client: String = "app",
        binding: Session.Binding = .none,
        proofKey: Digest256? = nil
    ) async throws -> HeldToken {
        let id = SessionID(UUIDBits(high: 5, low: number))
        let held = HeldToken(session: id, generation: 0)
        let order = NewSession(
            session: Session(
                id: id,
                account: Self.account,
                client: client,
                linkedDevice: nil,
                createdAt: time.wall,
                authentication: Session.Authentication(at: time.wall, methods: ["face"]),
                tokenBinding: Session.TokenBinding(proof: binding, key: proofKey)
            ),
            refreshKey: held.key,
            refreshExpiresAt: time.wall + Self.day * 30
        )
        let sessions = server.withLock(\.sessions)
        try await store.run { transaction in try sessions.open(order, in: transaction) }
        return held
    }

    func refresh(
        _ token: HeldToken,
        shows credential: Digest256? = nil,
        proves proofKey: Digest256? = nil,
        carrier: RefreshCarrier = .bearer,
        as account: AccountID = account,
        at clients: Set<String> = ["app", "gone"]
    ) async throws -> RefreshOutcome {
        let evidence = RefreshEvidence(credential: credential, proofKey: proofKey)
        return try await refresh(token, shows: evidence, carrier: carrier, as: account, at: clients)
    }

    func refresh(
        _ token: HeldToken,
        shows evidence: RefreshEvidence,
        carrier: RefreshCarrier = .bearer,
        as account: AccountID = account,
        at clients: Set<String> = ["app", "gone"]
    ) async throws -> RefreshOutcome {
        let service = server.withLock(\.service)
        return try await service.refresh(
            RefreshCommand(
                account: account,
                session: token.session,
                key: token.key,
                successor: token.next.key,
                clients: clients,
                carrier: carrier,
                evidence: evidence
            )
        )
    }

    func revoke(_ session: SessionID, because reason: RevocationReason = .signedOut) async throws {
        let sessions = server.withLock(\.sessions)
        _ = try await store.run { try sessions.revoke(session, of: Self.account, because: reason, in: $0) }
    }

    func isCurrent(_ token: HeldToken, of client: String = "app") async throws -> Bool {
        let service = server.withLock(\.service)
        return try await service.isCurrent(token.key, of: token.session, client: client)
    }

    func disableAccount() { accountIsActive.withLock { $0 = false } }

    /// The rows that the store would sweep by now.
    func sweep() async throws {
        let (now, store) = (time.wall, store)
        _ = try await store.run { try MemoryExpiringRows.sessions.purge(now, 1_000_000, $0) }
    }

    func reasonOfEnd(_ session: SessionID) async throws -> RevocationReason? {
        try await store.find(session)?.revocation?.reason
    }
}

/// Ends sessions, and nothing of other modules.
private struct AllSessions: SessionEnding {
    let sessions: SessionService

    func signOutEverywhere(_ account: AccountID, in transaction: borrowing Transaction) throws -> Int {
        try sessions.revokeAll(of: account, because: .signedOutEverywhere, in: transaction)
    }

    func settleSignOut(of account: AccountID) async throws {}
}
