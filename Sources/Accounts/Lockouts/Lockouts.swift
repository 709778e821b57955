package import Kernel

/// Counts tries at an account's secrets, passwords or codes, and stops repeated failures.
///
/// ``attempt(_:in:)`` precedes the check of the secret, in a unit that becomes durable whatever the outcome.
/// ``succeeded(_:in:)`` is called in the unit of the success. Passwords and sign-in codes are counted together, so that
/// a try at one leaves fewer for the other. Codes that verify an address are counted apart.
package struct Lockouts: Sendable {
    private let environment: Environment
    private let store: any LockoutStore

    package init(environment: Environment, store: any LockoutStore) {
        self.environment = environment
        self.store = store
    }

    /// Counts a try.
    ///
    /// - Throws: ``LockedOutError`` if no try is free, and then none is counted; ``StoreError``.
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

/// Port: the store of lockouts.
package protocol LockoutStore: Sendable {
    func find(_ key: Digest256, in transaction: borrowing Transaction) throws -> Lockout?

    /// Replaces the lockout under that key.
    func save(_ lockout: Lockout, _ key: Digest256, in transaction: borrowing Transaction) throws

    func delete(_ key: Digest256, in transaction: borrowing Transaction) throws
}
