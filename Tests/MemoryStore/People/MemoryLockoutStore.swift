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
}
