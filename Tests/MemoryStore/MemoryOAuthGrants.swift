package import Kernel
package import OAuth
import Synchronization

/// The limits of the authorization server's sessions, in memory: a store and its units of work in one.
///
/// A unit works on a copy, which is kept only if it succeeds; every fifth is run twice, as a group whose other unit
/// failed is (``UnitOfWork``).
package final class MemoryOAuthGrants: OAuthGrantStore, UnitOfWork {
    private let state = Mutex(State())

    private struct State {
        var grants: [SessionID: SessionGrant] = [:]
        var units = 0
    }

    private final class Draft {
        var grants: [SessionID: SessionGrant]
        init(_ grants: [SessionID: SessionGrant]) { self.grants = grants }
    }

    package init() {}

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try state.withLock { state in
            state.units += 1
            if state.units.isMultiple(of: 5) { _ = try? body(Transaction(context: Draft(state.grants))) }
            let draft = Draft(state.grants)
            let value = try body(Transaction(context: draft))
            state.grants = draft.grants
            return value
        }
    }

    package func insert(_ grant: SessionGrant, in transaction: borrowing Transaction) throws {
        let draft = try Self.draft(transaction)
        guard draft.grants.updateValue(grant, forKey: grant.session) == nil else {
            throw StoreError.conflict(cause: "a grant of that session")
        }
    }

    package func find(_ session: SessionID) async throws -> SessionGrant? { state.withLock { $0.grants[session] } }

    package func find(_ session: SessionID, in transaction: borrowing Transaction) throws -> SessionGrant? {
        try Self.draft(transaction).grants[session]
    }

    /// The session goes, and what it was limited to with it.
    package func remove(_ session: SessionID, in transaction: borrowing Transaction) throws {
        try Self.draft(transaction).grants[session] = nil
    }

    private static func draft(_ transaction: borrowing Transaction) throws -> Draft {
        guard let draft = transaction.context(as: Draft.self) else { throw StoreError.foreignTransaction }
        return draft
    }
}
