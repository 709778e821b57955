/// Bounds a table of numbered rows: after an insert it keeps its newest rows, up to a number.
///
/// Names are literals of the program's own.
extension SQLConnection {
    /// Deletes the rows with that value except the newest `count`; an index begins with the column.
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

    /// Deletes all rows except the newest `count`.
    ///
    /// Numbers have gaps, so that this keeps at most `count` rows, without counting them.
    func keepNewest(_ count: Int, of table: StaticString) throws {
        try change("DELETE FROM \(table) WHERE number <= (SELECT MAX(number) FROM \(table)) - ?", [count.column])
    }
}
