package import Kernel
package import OAuth

/// The limits of the authorization server's sessions, in the in-memory store.
package struct MemoryOAuthGrantStore: OAuthGrantStore {
    let connection: MemoryConnection

    package func insert(_ grant: SessionGrant, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard draft.tables.oauthGrants.updateValue(grant, forKey: grant.session) == nil else {
            throw StoreError.conflict(cause: "there is such a grant")
        }
    }

    package func find(_ session: SessionID) async throws -> SessionGrant? {
        try await connection.read { $0.oauthGrants[session] }
    }

    package func find(_ session: SessionID, in transaction: borrowing Transaction) throws -> SessionGrant? {
        try transaction.draft().tables.oauthGrants[session]
    }
}

// Grants alone: a store and its units of work in one.
extension MemoryOAuthGrantStore: UnitOfWork {
    package init() { connection = .alone() }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await connection.run(body)
    }

    /// The session goes, and what it was limited to with it.
    package func remove(_ session: SessionID, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.dropSession(session)
    }
}
