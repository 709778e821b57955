package import Accounts
package import Kernel

/// The store of lockouts.
package struct SQLLockoutStore: LockoutStore {
    package init() {}

    package func find(_ key: Digest256, in transaction: borrowing Transaction) throws -> Lockout? {
        try transaction.connection().first(
            "SELECT tries, last_tried_at FROM lockouts WHERE subject = ?",
            [.digest(key)]
        ) { columns in
            Lockout(tries: try columns.count("tries"), lastTriedAt: try columns.instant("last_tried_at"))
        }
    }

    package func save(_ lockout: Lockout, _ key: Digest256, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO lockouts (subject, tries, last_tried_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (subject) DO UPDATE SET tries = ?2, last_tried_at = ?3
            """,
            [.digest(key), .integer(Int64(lockout.tries)), lockout.lastTriedAt.column]
        )
    }

    package func delete(_ key: Digest256, in transaction: borrowing Transaction) throws {
        try transaction.connection().change("DELETE FROM lockouts WHERE subject = ?", [.digest(key)])
    }
}
