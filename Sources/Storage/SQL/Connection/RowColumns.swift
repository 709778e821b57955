/// The columns of a table that a value is read from.
protocol RowColumns {
    associatedtype Row

    static var table: StaticString { get }
    static var selected: String { get }

    static func read(_ columns: inout ColumnReader) throws -> Row
}

extension SQLConnection {
    /// Returns the first row of the table for a condition, which an order may follow.
    func row<Columns: RowColumns>(
        _ columns: Columns.Type,
        where condition: String,
        _ values: [ColumnValue]
    ) throws -> Columns.Row? {
        try first("SELECT \(columns.selected) FROM \(columns.table) WHERE \(condition)", values, read: columns.read)
    }

    /// Returns all of its rows for a condition, which an order and a limit may follow.
    func rows<Columns: RowColumns>(
        _ columns: Columns.Type,
        where condition: String,
        _ values: [ColumnValue]
    ) throws -> [Columns.Row] {
        try all("SELECT \(columns.selected) FROM \(columns.table) WHERE \(condition)", values, read: columns.read)
    }
}
