import Audit
package import Kernel

/// A connection as the stores see it: the same SQL for every engine.
///
/// Statements are literals with bound values: a `?` for each, or `?1`, `?2` where a value is used more than once. They
/// are prepared once for each text. So texts are built only from literals of this program.
package final class SQLConnection {
    private let engine: any SQLEngine
    /// The last rows of the audit's chains, as this transaction knows them.
    ///
    /// A transaction of many units appends many rows, and each of them needs the hash of the row before.
    var auditHeads: [String: AuditHead] = [:]
    /// The last row of this connection's own chain as it last committed it, which others may have followed since.
    var committedAuditHeads: [String: AuditHead] = [:]

    init(_ engine: any SQLEngine) { self.engine = engine }

    /// Returns the `SELECT` of the elements of a list of texts, which is bound to the placeholder as one value.
    ///
    /// This is the only SQL that differs between engines. A placeholder for each element would exceed an engine's
    /// limit.
    func elements(of placeholder: String) -> String { engine.elements(of: placeholder) }

    /// Runs a statement, and returns the number of rows that it changed.
    @discardableResult
    func change(_ sql: String, _ values: [ColumnValue] = []) throws -> Int { try engine.change(sql, values) }

    /// Runs a statement that changes rows, at the latest when the transaction ends.
    ///
    /// PostgreSQL gets it together with the next statement: one round trip less. So its error may be thrown by that one, or
    /// by the commit.
    func write(_ sql: String, _ values: [ColumnValue] = []) throws { try engine.write(sql, values) }

    /// Whether a statement returns a row.
    func exists(_ sql: String, _ values: [ColumnValue] = []) throws -> Bool {
        try first(sql, values) { _ in true } ?? false
    }

    /// Returns the value of the column `count`.
    func count(_ sql: String, _ values: [ColumnValue] = []) throws -> Int {
        try first(sql, values) { try $0.count("count") } ?? 0
    }

    /// Returns the first row that a statement returns.
    func first<T>(_ sql: String, _ values: [ColumnValue] = [], read: (inout ColumnReader) throws -> T) throws -> T? {
        var found: T?
        try engine.visit(sql, values) { columns in
            found = try read(&columns)
            return false
        }
        return found
    }

    /// Returns every row that a statement returns.
    func all<T>(_ sql: String, _ values: [ColumnValue] = [], read: (inout ColumnReader) throws -> T) throws -> [T] {
        var rows: [T] = []
        try engine.visit(sql, values) { columns in
            rows.append(try read(&columns))
            return true
        }
        return rows
    }
}

/// The implementation of a connection in one database engine.
protocol SQLEngine {
    /// Returns the `SELECT` of the elements of a JSON array of texts.
    func elements(of placeholder: String) -> String

    /// Runs a statement. Returns the number of rows that it changed.
    func change(_ sql: String, _ values: [ColumnValue]) throws -> Int

    /// Runs a statement at the latest when the transaction ends.
    func write(_ sql: String, _ values: [ColumnValue]) throws

    /// Passes the rows of a statement to `row`, one by one, until `row` returns `false`.
    func visit(_ sql: String, _ values: [ColumnValue], eachRow row: (inout ColumnReader) throws -> Bool) throws
}

extension SQLEngine {
    func write(_ sql: String, _ values: [ColumnValue]) throws { _ = try change(sql, values) }
}

/// The database for reads outside a unit of work, each of which sees the durable state at one moment.
package protocol SQLDatabase: Sendable {
    func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T

    /// Reads with a body that takes a transaction, such as a lookup that units of work use too.
    ///
    /// Errors of the body itself are thrown unchanged.
    func reading<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T
}

extension Transaction {
    /// Returns the connection of this transaction, which is valid for the length of a unit of work.
    borrowing func connection() throws -> SQLConnection {
        guard let connection = context(as: SQLConnection.self) else { throw StoreError.foreignTransaction }
        return connection
    }
}
