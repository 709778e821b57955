/// What a move has done so far, for whoever waits for it.
package enum MoveProgress: Sendable, Equatable {
    /// A table of the SQLite file was read, and nothing of it copied yet.
    case read(table: String, rows: Int)
    /// All tables were read.
    case counted(tables: Int, rows: Int)
    /// A part of a large table was copied.
    case copying(table: String, rows: Int, all: Int)
    case copied(table: String, rows: Int)
    /// The table in PostgreSQL was read, and is the same.
    case compared(table: String, rows: Int)
    /// The audit in PostgreSQL was verified, and the commit is next.
    case verified
}

/// The rows that were moved.
package struct MovedRowsReport: Sendable {
    /// The tables in the order in which they were copied.
    package let tables: [(name: String, rows: Int)]
    /// The PostgreSQL database and its servers, as messages name them.
    package let database: String

    package var rows: Int { tables.reduce(0) { $0 + $1.rows } }
}
