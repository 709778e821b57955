import GRDB

/// What a table of numbered rows keeps once another has come: its newest, so many at the most.
///
/// Names are literals of the program's own.
extension Database {
    /// Deletes the rows with that value but for the newest `count`; an index begins with the column.
    func keepNewest(
        _ count: Int,
        of table: StaticString,
        where column: StaticString,
        is value: ColumnValue
    ) throws {
        try change(
            """
            DELETE FROM \(table) WHERE number IN (
                SELECT number FROM \(table) WHERE \(column) = ? ORDER BY number DESC LIMIT -1 OFFSET ?
            )
            """,
            [value, count.column]
        )
    }

    /// Deletes all rows but for the newest `count`.
    ///
    /// Numbers have gaps, so that this keeps as many at the most, without counting them.
    func keepNewest(_ count: Int, of table: StaticString) throws {
        try change(
            "DELETE FROM \(table) WHERE number <= (SELECT MAX(number) FROM \(table)) - ?",
            [count.column]
        )
    }
}
