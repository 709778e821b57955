import GRDB
import Kernel

/// Deletion by retention, in one unit of work: the oldest rows of a table, up to a number.
extension Database {
    /// Deletes the rows whose time is before that, the oldest first.
    ///
    /// `key`: The columns of the primary key; names are literals of the program's own.
    ///
    /// `column`: The time, which an index begins with, so that rows that stay are not read; a row without a time stays.
    ///
    /// - Returns: The number of deleted rows.
    func purge(
        _ table: StaticString,
        by key: StaticString,
        where column: StaticString,
        before instant: Instant,
        _ limit: Int
    ) throws -> Int {
        try change(
            """
            DELETE FROM \(table) WHERE (\(key)) IN (
                SELECT \(key) FROM \(table) WHERE \(column) < ? ORDER BY \(column) LIMIT ?
            )
            """,
            [instant.column, limit.column]
        )
    }
}
