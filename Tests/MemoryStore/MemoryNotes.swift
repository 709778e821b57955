package import Kernel

/// What tests note in a unit of work: it is there if, and only if, the unit is.
package struct MemoryNotes: Sendable {
    package init() {}

    package func append(_ note: String, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.notes.append(note)
    }

    package func all(in transaction: borrowing Transaction) throws -> [String] {
        try transaction.draft().tables.notes
    }
}
