package import Accounts
package import Kernel

/// The lockouts of the in-memory store.
package struct MemoryLockoutStore: LockoutStore {
    package func find(_ key: Digest256, in transaction: borrowing Transaction) throws -> Lockout? {
        try transaction.draft().tables.lockouts[key]
    }

    package func save(_ lockout: Lockout, _ key: Digest256, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.lockouts[key] = lockout
    }

    package func delete(_ key: Digest256, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.lockouts[key] = nil
    }

    package func purge(triedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        let draft = try transaction.draft()
        let old = draft.tables.lockouts.filter { $0.value.lastTriedAt < instant }
            .sorted { $0.value.lastTriedAt < $1.value.lastTriedAt }.prefix(limit)
        for (key, _) in old { draft.tables.lockouts[key] = nil }
        return old.count
    }
}
