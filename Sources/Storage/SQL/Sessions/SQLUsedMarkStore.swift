package import Kernel

/// The store of the marks of used proofs, assertions and tickets.
package struct SQLUsedMarkStore: UsedMarkStore {
    package init() {}

    package func use(_ mark: UsedMark, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            "INSERT INTO used_marks (digest, expires_at) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING",
            [mark.digest.column, mark.expiresAt.column]
        ) == 1
    }
}
