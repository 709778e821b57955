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

    /// Deletes all but the newest `count` rows.
    ///
    /// Numbers may have gaps, so at most `count` rows remain, and none have to be counted.
    func keepNewest(_ count: Int, of table: StaticString) throws {
        try change("DELETE FROM \(table) WHERE number <= (SELECT MAX(number) FROM \(table)) - ?", [count.column])
    }
}
