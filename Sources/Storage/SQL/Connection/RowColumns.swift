/// The columns of a table from which a value is read.
protocol RowColumns {
    associatedtype Row

    static var table: StaticString { get }
    static var selected: String { get }

    static func read(_ columns: inout ColumnReader) throws -> Row
}

extension SQLConnection {
    /// Returns the first row of the table that meets a condition, which `ORDER BY` may follow.
    func row<Columns: RowColumns>(
        _ columns: Columns.Type,
        where condition: String,
        _ values: [ColumnValue]
    ) throws -> Columns.Row? {
        try first("SELECT \(columns.selected) FROM \(columns.table) WHERE \(condition)", values, read: columns.read)
    }

    /// Returns all rows of the table that meet a condition, which `ORDER BY` and `LIMIT` may follow.
    func rows<Columns: RowColumns>(
        _ columns: Columns.Type,
        where condition: String,
        _ values: [ColumnValue]
    ) throws -> [Columns.Row] {
        try all("SELECT \(columns.selected) FROM \(columns.table) WHERE \(condition)", values, read: columns.read)
    }
}
