package import Kernel
package import Sessions
import Synchronization

/// Sessions and refresh rows in memory: a store and its units of work in one.
package final class MemorySessions: SessionStore, UnitOfWork {
    private let held = CopiedTables(Tables())
    private let fails = Mutex(false)

    private struct Tables {
        var sessions: [SessionID: Session] = [:]
        var tokens: [Digest256: RefreshToken] = [:]
    }

    package init() {}

    package var tokens: [RefreshToken] { held.withTables { Array($0.tokens.values) } }

    /// The next unit fails before it is kept.
    package func failNext() { fails.withLock { $0 = true } }

    /// Adds a row behind the program's back.
    package func add(_ token: RefreshToken) { held.withTables { $0.tokens[token.key] = token } }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try held.run(body) {
            let isFailing = fails.withLock { fails in
                defer { fails = false }
                return fails
            }
            if isFailing { throw StoreError.unavailable(cause: "scripted") }
        }
    }

    package func insert(_ session: Session, _ token: RefreshToken, in transaction: borrowing Transaction) throws {
        let draft = try held.draft(transaction)
        guard draft.tables.tokens[token.key] == nil else { throw StoreError.conflict(cause: "a token of that key") }
        draft.tables.sessions[session.id] = session
        draft.tables.tokens[token.key] = token
    }

    package func find(_ id: SessionID) async throws -> Session? { held.withTables { $0.sessions[id] } }

    package func find(_ id: SessionID, in transaction: borrowing Transaction) throws -> Session? {
        try held.draft(transaction).tables.sessions[id]
    }

    package func list(of account: AccountID, limit: Int) async throws -> [ListedSession] {
        held.withTables { tables in
            let own = tables.sessions.values.filter { $0.account == account }
            let newest = own.sorted { ($1.createdAt, $0.id.bits) < ($0.createdAt, $1.id.bits) }.prefix(limit)
            return newest.map { session in
                let tokens = tables.tokens.values.filter { $0.session == session.id }
                return ListedSession(
                    session: session,
                    refreshedAt: tokens.map(\.issuedAt).max() ?? session.createdAt,
                    expiresAt: tokens.map(\.expiresAt).max() ?? session.createdAt
                )
            }
        }
    }

    package func family(of key: Digest256, in transaction: borrowing Transaction) throws -> RefreshFamily? {
        let tables = try held.draft(transaction).tables
        guard let token = tables.tokens[key], let session = tables.sessions[token.session] else { return nil }
        return RefreshFamily(
            session: session,
            presented: token,
            child: token.lineage.child.flatMap { tables.tokens[$0] }
        )
    }

    package func rotate(
        into successor: RefreshToken,
        parentEndsAt: Instant,
        isProven: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try held.draft(transaction)
        guard let key = successor.lineage.parent, let parent = draft.tables.tokens[key], parent.lineage.child == nil
        else {
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
        let draft = try held.draft(transaction)
        guard let token = draft.tables.tokens[key], token.firstUsedAt == nil else { return }
        draft.tables.tokens[key] = token.changed(
            child: token.lineage.child,
            firstUsedAt: now,
            expiresAt: token.expiresAt,
            isRotationProven: token.isRotationProven
        )
    }

    package func active(among sessions: Set<SessionID>, at now: Instant) async throws -> Set<SessionID> {
        held.withTables { tables in
            let living = Set(tables.tokens.values.filter { $0.expiresAt > now }.map(\.session))
            return sessions.filter { tables.sessions[$0]?.isOpen == true && living.contains($0) }
        }
    }

    package func revoked(after instant: Instant, limit: Int) async throws -> [Revocation] {
        let all = held.withTables { tables in
            tables.sessions.values.compactMap { session in
                session.revocation.map { Revocation(session: session.id, at: $0.at) }
            }
        }
        return Array(all.filter { $0.at > instant }.sorted { $0.at > $1.at }.prefix(limit))
    }

    package func isOpen(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let found = try held.draft(transaction).tables.sessions[session]
        return found?.account == account && found?.isOpen == true
    }

    package func revoke(
        _ session: SessionID,
        of account: AccountID,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> RevokedSession? {
        let draft = try held.draft(transaction)
        guard let found = draft.tables.sessions[session], found.account == account, found.isOpen else { return nil }
        draft.tables.sessions[session] = found.revoked(at: now, because: reason)
        return RevokedSession(device: found.linkedDevice?.id)
    }

    package func revokeAll(
        of account: AccountID,
        except kept: SessionID?,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let draft = try held.draft(transaction)
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
        let draft = try held.draft(transaction)
        let open = draft.tables.sessions.values.filter {
            sessions.contains($0.id) && $0.account == account && $0.isOpen
        }
        for session in open { draft.tables.sessions[session.id] = session.revoked(at: now, because: reason) }
        return open.map(\.id)
    }

    package func purge(before instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        let draft = try held.draft(transaction)
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
        let revoked = draft.tables.sessions.values.filter { $0.revocation.map { $0.at < instant } ?? false }
        let ids = Set(revoked.map(\.id))
        drop(draft.tables.tokens.values.filter { ids.contains($0.session) })
        for id in ids.prefix(max(0, limit - purged)) {
            draft.tables.sessions[id] = nil
            purged += 1
        }
        return purged
    }
}

extension Session {
    fileprivate var isOpen: Bool { revocation == nil }

    fileprivate func revoked(at now: Instant, because reason: RevocationReason) -> Session {
        Session(
            id: id,
            account: account,
            client: client,
            linkedDevice: linkedDevice,
            createdAt: createdAt,
            authentication: authentication,
            tokenBinding: tokenBinding,
            revocation: Session.Revocation(at: now, reason: reason)
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
            lineage: RefreshToken.Lineage(family: lineage.family, parent: lineage.parent, child: child),
            issuedAt: issuedAt,
            expiresAt: expiresAt,
            firstUsedAt: firstUsedAt,
            isRotationProven: isRotationProven
        )
    }
}
