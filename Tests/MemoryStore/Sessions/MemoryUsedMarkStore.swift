package import Kernel

/// The marks of used things in the in-memory store.
package struct MemoryUsedMarkStore: UsedMarkStore {
    package init() {}

    package func use(_ mark: UsedMark, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard draft.tables.usedMarks[mark.digest] == nil else { return false }
        draft.tables.usedMarks[mark.digest] = mark
        return true
    }
}
