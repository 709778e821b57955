package import Kernel
package import Sessions
import Synchronization

/// Sessions and refresh rows in memory: a store and its units of work in one.
///
/// A unit works on a copy, which is kept only if it succeeds; every fifth is run twice, as a group whose other unit
/// failed is (``UnitOfWork``).
package final class MemorySessions: SessionStore, UnitOfWork {
    private let state = Mutex(State())

    private struct State {
        var tables = Tables()
        var units = 0
        var fails = false
    }

    private struct Tables {
        var sessions: [SessionID: Session] = [:]
        var tokens: [Digest256: RefreshToken] = [:]
    }

    private final class Draft {
        var tables: Tables
        init(_ tables: Tables) { self.tables = tables }
    }

    package init() {}

    package var tokens: [RefreshToken] { state.withLock { Array($0.tables.tokens.values) } }

    /// The next unit fails before it is kept.
    package func failNext() { state.withLock { $0.fails = true } }

    /// Adds a row behind the program's back.
    package func add(_ token: RefreshToken) { state.withLock { $0.tables.tokens[token.key] = token } }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try state.withLock { state in
            state.units += 1
            if state.units.isMultiple(of: 5) { _ = try? body(Transaction(context: Draft(state.tables))) }
            let draft = Draft(state.tables)
            let value = try body(Transaction(context: draft))
            guard !state.fails else {
                state.fails = false
                throw StoreError.unavailable(cause: "scripted")
            }
            state.tables = draft.tables
            return value
        }
    }

    package func insert(_ session: Session, _ token: RefreshToken, in transaction: borrowing Transaction) throws {
        let draft = try Self.draft(transaction)
        guard draft.tables.tokens[token.key] == nil else { throw StoreError.conflict(cause: "a token of that key") }
        draft.tables.sessions[session.id] = session
        draft.tables.tokens[token.key] = token
    }

    package func find(_ id: SessionID) async throws -> Session? { state.withLock { $0.tables.sessions[id] } }

    package func find(_ id: SessionID, in transaction: borrowing Transaction) throws -> Session? {
        try Self.draft(transaction).tables.sessions[id]
    }

    package func list(of account: AccountID, limit: Int) async throws -> [ListedSession] {
        state.withLock { state in
            let own = state.tables.sessions.values.filter { $0.account == account }
            let newest = own.sorted { ($1.createdAt, $0.id.bits) < ($0.createdAt, $1.id.bits) }.prefix(limit)
            return newest.map { session in
                let tokens = state.tables.tokens.values.filter { $0.session == session.id }
                return ListedSession(
                    session: session,
                    refreshedAt: tokens.map(\.issuedAt).max() ?? session.createdAt,
                    expiresAt: tokens.map(\.expiresAt).max() ?? session.createdAt
                )
            }
        }
    }

    package func family(of key: Digest256, in transaction: borrowing Transaction) throws -> RefreshFamily? {
        let tables = try Self.draft(transaction).tables
        guard let token = tables.tokens[key], let session = tables.sessions[token.session] else { return nil }
        return RefreshFamily(session: session, presented: token, child: token.child.flatMap { tables.tokens[$0] })
    }

    package func rotate(
        into successor: RefreshToken,
        parentEndsAt: Instant,
        isProven: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try Self.draft(transaction)
        guard let key = successor.parent, let parent = draft.tables.tokens[key], parent.child == nil else {
            return false
        }
        draft.tables.tokens[key] = parent.changed(
            child: successor.key,
            firstUsedAt: parent.firstUsedAt ?? successor.issuedAt,
            expiresAt: parentEndsAt,
            isRotationProven: isProven
        )
        draft.tables.tokens[successor.key] = successor
        return true
    }

    package func markUsed(_ key: Digest256, at now: Instant, in transaction: borrowing Transaction) throws {
        let draft = try Self.draft(transaction)
        guard let token = draft.tables.tokens[key], token.firstUsedAt == nil else { return }
        draft.tables.tokens[key] = token.changed(
            child: token.child,
            firstUsedAt: now,
            expiresAt: token.expiresAt,
            isRotationProven: token.isRotationProven
        )
    }

    package func active(among sessions: Set<SessionID>, at now: Instant) async throws -> Set<SessionID> {
        state.withLock { state in
            let living = Set(state.tables.tokens.values.filter { $0.expiresAt > now }.map(\.session))
            return sessions.filter { state.tables.sessions[$0]?.isOpen == true && living.contains($0) }
        }
    }

    package func revoked(after instant: Instant, limit: Int) async throws -> [Revocation] {
        let all = state.withLock { state in
            state.tables.sessions.values.compactMap { session in
                session.revokedAt.map { Revocation(session: session.id, at: $0) }
            }
        }
        return Array(all.filter { $0.at > instant }.sorted { $0.at > $1.at }.prefix(limit))
    }

    package func isOpen(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let found = try Self.draft(transaction).tables.sessions[session]
        return found?.account == account && found?.isOpen == true
    }

    package func revoke(
        _ session: SessionID,
        of account: AccountID,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> RevokedSession? {
        let draft = try Self.draft(transaction)
        guard let found = draft.tables.sessions[session], found.account == account, found.isOpen else { return nil }
        draft.tables.sessions[session] = found.revoked(at: now, because: reason)
        return RevokedSession(device: found.device)
    }

    package func revokeAll(
        of account: AccountID,
        except kept: SessionID?,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let draft = try Self.draft(transaction)
        let open = draft.tables.sessions.values.filter { $0.account == account && $0.isOpen && $0.id != kept }
        for session in open { draft.tables.sessions[session.id] = session.revoked(at: now, because: reason) }
        return open.count
    }

    package func revoke(
        _ sessions: Set<SessionID>,
        of account: AccountID,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] {
        let draft = try Self.draft(transaction)
        let open = draft.tables.sessions.values.filter {
            sessions.contains($0.id) && $0.account == account && $0.isOpen
        }
        for session in open { draft.tables.sessions[session.id] = session.revoked(at: now, because: reason) }
        return open.map(\.id)
    }

    package func purge(before instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        let draft = try Self.draft(transaction)
        var purged = 0
        func drop(_ tokens: [RefreshToken]) {
            for token in tokens.prefix(limit - purged) {
                draft.tables.tokens[token.key] = nil
                purged += 1
            }
        }
        let expired = draft.tables.tokens.values.filter { $0.expiresAt < instant }
        drop(expired)
        for id in Set(expired.map(\.session)) where !draft.tables.tokens.values.contains(where: { $0.session == id }) {
            guard draft.tables.sessions.removeValue(forKey: id) != nil else { continue }
            purged += 1
        }
        guard purged < limit else { return purged }
        let revoked = draft.tables.sessions.values.filter { $0.revokedAt.map { $0 < instant } ?? false }
        let ids = Set(revoked.map(\.id))
        drop(draft.tables.tokens.values.filter { ids.contains($0.session) })
        for id in ids.prefix(max(0, limit - purged)) {
            draft.tables.sessions[id] = nil
            purged += 1
        }
        return purged
    }

    private static func draft(_ transaction: borrowing Transaction) throws -> Draft {
        guard let draft = transaction.context(as: Draft.self) else { throw StoreError.foreignTransaction }
        return draft
    }
}

extension Session {
    fileprivate var isOpen: Bool { revokedAt == nil }

    fileprivate func revoked(at now: Instant, because reason: RevocationReason) -> Session {
        Session(
            id: id,
            account: account,
            client: client,
            device: device,
            createdAt: createdAt,
            authenticatedAt: authenticatedAt,
            methods: methods,
            binding: binding,
            proofKey: proofKey,
            passkey: passkey,
            revokedAt: now,
            revokedBecause: reason
        )
    }
}

extension RefreshToken {
    fileprivate func changed(
        child: Digest256?,
        firstUsedAt: Instant?,
        expiresAt: Instant,
        isRotationProven: Bool
    ) -> RefreshToken {
        RefreshToken(
            key: key,
            session: session,
            family: family,
            parent: parent,
            child: child,
            issuedAt: issuedAt,
            expiresAt: expiresAt,
            firstUsedAt: firstUsedAt,
            isRotationProven: isRotationProven
        )
    }
}
