package import Kernel
package import OAuth

/// The limits of the authorization server's sessions, in memory: a store and its units of work in one.
package final class MemoryOAuthGrants: OAuthGrantStore, UnitOfWork {
    private let grants = CopiedTables([SessionID: SessionGrant]())

    package init() {}

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try grants.run(body)
    }

    package func insert(_ grant: SessionGrant, in transaction: borrowing Transaction) throws {
        let draft = try grants.draft(transaction)
        guard draft.tables.updateValue(grant, forKey: grant.session) == nil else {
            throw StoreError.conflict(cause: "a grant of that session")
        }
    }

    package func find(_ session: SessionID) async throws -> SessionGrant? { grants.withTables { $0[session] } }

    package func find(_ session: SessionID, in transaction: borrowing Transaction) throws -> SessionGrant? {
        try grants.draft(transaction).tables[session]
    }

    /// The session goes, and what it was limited to with it.
    package func remove(_ session: SessionID, in transaction: borrowing Transaction) throws {
        try grants.draft(transaction).tables[session] = nil
    }
}
