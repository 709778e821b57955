import GRDB
import Kernel

/// Deletion by retention, in one unit of work: the oldest rows of a table, up to a number.
extension Database {
    /// Deletes the rows whose time is before that, the oldest first; returns how many.
    ///
    /// Names are literals of the program's own. `key`: the columns of the primary key; `column`: the time, which an index
    /// begins with, so that nothing is looked at that stays; a row without one stays.
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
