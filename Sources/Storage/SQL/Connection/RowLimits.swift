import Kernel

/// Bounds a table of numbered rows: after an insert it keeps the newest rows, up to a number.
///
/// Table and column names are literals of this program.
extension SQLConnection {
    /// Deletes all but the newest `count` rows with that value in a column with which an index must begin.
    func keepNewest(_ count: Int, of table: StaticString, where column: StaticString, is value: ColumnValue) throws {
        try change(
            """
            DELETE FROM \(table) WHERE \(column) = ?1 AND number <= (
                SELECT number FROM \(table) WHERE \(column) = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2
            )
            """,
            [value, count.column]
        )
    }

    /// Deletes all but the newest rows, after the row of that number was inserted, so that about `count` remain at most.
    ///
    /// Numbers may have gaps, so no rows have to be counted. Most inserts delete nothing, and one in many deletes a
    /// batch: units that read the same end of the table can't run at the same time in an engine that compares their
    /// reads.
    ///
    /// Where undone units use numbers up, an insert whose number was to delete can lose it when its unit is run again.
    /// So the key of the row, which it keeps, chooses as many inserts once more. Then the table has more than `count`
    /// rows for a while, and by more than a quarter of `count` less than once in a million batches.
    ///
    /// - Parameters:
    ///   - count: The most rows.
    ///   - table: The table.
    ///   - number: The number of the row.
    ///   - key: A random value of the row that is the same in each run of its unit.
    /// - Throws: ``StoreError``.
    func keepNewest(_ count: Int, of table: StaticString, after number: Int64, with key: Digest256) throws {
        let batch = Int64(max(1, count / 64))
        // The inserts until the next batch have their places too.
        let kept = Int64(count) - batch + 1
        let choice = key.bytes.prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard number.isMultiple(of: batch) || choice.isMultiple(of: batch), number > kept else { return }
        try change("DELETE FROM \(table) WHERE number <= ?", [(number - kept).column])
    }

    /// Runs an `INSERT … RETURNING number`, whose number the database assigns: above those of all rows.
    ///
    /// - Returns: `nil` if nothing was inserted.
    func insertNumbered(_ sql: String, _ values: [ColumnValue]) throws -> Int64? {
        // Read to its end, so that the statement is done.
        try all(sql, values) { try $0.integer("number") }.first
    }
}
