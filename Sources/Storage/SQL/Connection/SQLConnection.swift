package import Kernel

/// A connection as the stores see it: one spelling of SQL for every engine.
///
/// Statements are literals with bound values: a `?` for each, or `?1`, `?2` where one has several places. They are
/// prepared once for each text, so a text is made of literals of the program alone.
package final class SQLConnection {
    private let engine: any SQLEngine

    init(_ engine: any SQLEngine) { self.engine = engine }

    /// Returns the `SELECT` of the texts of a list, which is bound to that placeholder as one value.
    ///
    /// This is the one thing that engines spell differently: a placeholder for each element would be too many for
    /// either at some number.
    func elements(of placeholder: String) -> String { engine.elements(of: placeholder) }

    /// Runs a statement; returns how many rows it changed.
    @discardableResult
    func change(_ sql: String, _ values: [ColumnValue] = []) throws -> Int { try engine.change(sql, values) }

    /// Whether a statement has a row.
    func exists(_ sql: String, _ values: [ColumnValue] = []) throws -> Bool {
        try first(sql, values) { _ in true } ?? false
    }

    /// Returns the `count` of a statement.
    func count(_ sql: String, _ values: [ColumnValue] = []) throws -> Int {
        try first(sql, values) { try $0.count("count") } ?? 0
    }

    /// Returns the first row of a statement.
    func first<T>(_ sql: String, _ values: [ColumnValue] = [], read: (inout ColumnReader) throws -> T) throws -> T? {
        var found: T?
        try engine.visit(sql, values) { columns in
            found = try read(&columns)
            return false
        }
        return found
    }

    /// Returns every row of a statement.
    func all<T>(_ sql: String, _ values: [ColumnValue] = [], read: (inout ColumnReader) throws -> T) throws -> [T] {
        var rows: [T] = []
        try engine.visit(sql, values) { columns in
            rows.append(try read(&columns))
            return true
        }
        return rows
    }
}

/// An engine's way to run the statements of a connection.
protocol SQLEngine {
    /// Returns the `SELECT` of the elements of a JSON array of texts.
    func elements(of placeholder: String) -> String

    /// Runs a statement; returns how many rows it changed.
    func change(_ sql: String, _ values: [ColumnValue]) throws -> Int

    /// Hands out the rows of a statement, one after the other, for as long as `row` returns `true`.
    func visit(_ sql: String, _ values: [ColumnValue], _ row: (inout ColumnReader) throws -> Bool) throws
}

/// The database of a store's reads that belong to no unit of work: each sees the durable state of one moment.
package protocol SQLDatabase: Sendable {
    func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T

    /// Reads with a body that takes a transaction: a unit that changes nothing, or a lookup that units have as well.
    ///
    /// Errors of the body's own are thrown as they are.
    func reading<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T
}

extension Transaction {
    /// Returns the connection of this transaction, for the length of a unit.
    borrowing func connection() throws -> SQLConnection {
        guard let connection = context(as: SQLConnection.self) else { throw StoreError.foreignTransaction }
        return connection
    }
}
