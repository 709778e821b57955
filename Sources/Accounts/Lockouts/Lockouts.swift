package import Kernel

/// Counts tries at an account's secrets, be they passwords or codes, and stops those that go on without success.
///
/// ``attempt(_:in:)`` comes before the secret is looked at, in a unit that is durable whatever comes of it;
/// ``succeeded(_:in:)`` with what the success is good for. Passwords and codes to sign in with count together: who has used
/// up his tries at the one has none at the other. Codes that prove an address count apart.
package struct Lockouts: Sendable {
    private let environment: Environment
    private let store: any LockoutStore

    package init(environment: Environment, store: any LockoutStore) {
        self.environment = environment
        self.store = store
    }

    /// Counts a try.
    ///
    /// - Throws: ``LockedOutError`` where none is free, and nothing counts; ``StoreError``.
    package func attempt(_ subject: LockoutSubject, in transaction: borrowing Transaction) throws {
        let earlier = try store.find(subject.key, in: transaction)
        let lockout = try Lockout.trying(after: earlier, at: environment.now())
        try store.save(lockout, subject.key, in: transaction)
    }

    /// Forgets the subject's tries.
    package func succeeded(_ subject: LockoutSubject, in transaction: borrowing Transaction) throws {
        try store.delete(subject.key, in: transaction)
    }
}

/// Port: where lockouts are kept.
package protocol LockoutStore: Sendable {
    func find(_ key: Digest256, in transaction: borrowing Transaction) throws -> Lockout?

    /// In the place of what there is under that key.
    func save(_ lockout: Lockout, _ key: Digest256, in transaction: borrowing Transaction) throws

    func delete(_ key: Digest256, in transaction: borrowing Transaction) throws

    /// Deletes up to `limit` lockouts whose last try was before `instant`; returns how many.
    func purge(triedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}
