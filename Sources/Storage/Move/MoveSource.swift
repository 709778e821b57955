import GRDB
package import Kernel

/// The SQLite file whose rows are moved, and which is only read.
package final class MoveSource: Sendable {
    package let path: String
    let tables: [MovedTable]
    private let queue: DatabaseQueue

    /// Opens the file, whose schema must be this program's.
    ///
    /// - Throws: ``StorageMoveError`` for a missing file, and ``StoreOpenError`` for one that can't be used.
    package init(_ options: SQLiteDatabase.Options) throws {
        path = options.path
        let isSuspected = WriteAheadLogCheck.isSuspected(path)
        do {
            guard let queue = try SQLiteDatabase.reader(options) else { throw StorageMoveError.missing(path) }
            self.queue = queue
            tables = try queue.read { database in
                try Migrator.refuseUnreleased(database)
                if isSuspected { try WriteAheadLogCheck.check(database) }
                let missing = try Migrator().pending(database)
                guard missing.isEmpty else { throw SchemaError.behind(missing: missing.map(\.name)) }
                try Migrator().checkShape(database)
                return try MovedTable.all(SQLConnection(database))
            }
        } catch let error as StorageMoveError {
            throw error
        } catch {
            throw StoreOpenError.reading(options.path, error)
        }
    }

    /// The number that changes with each commit of another connection (https://sqlite.org/pragma.html#pragma_data_version).
    func version() throws -> Int64 {
        try rows { connection in
            try connection.first("SELECT data_version AS version FROM pragma_data_version()") {
                try $0.integer("version")
            }
        } ?? 0
    }

    /// Returns the mark of the root key; `nil` for a database that has none yet.
    func keyMark() throws -> Digest256? {
        try rows { try $0.first("SELECT mark FROM key_mark") { try $0.digest("mark") } }
    }

    /// Reads the file as it is at one moment.
    func rows<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        try queue.read { try body(SQLConnection($0)) }
    }

    /// Returns what each table holds, by its name.
    ///
    /// - Throws: ``StorageMoveError`` for texts that PostgreSQL can't hold, which are named.
    func contents(_ report: (MoveProgress) -> Void) throws -> [String: TableContent] {
        var unstorable = UnstorableTexts()
        var contents: [String: TableContent] = [:]
        for table in tables {
            var content = ContentDigest()
            try rows { connection in
                try MovedRows(table: table, connection: connection).visit { rows in
                    for row in rows {
                        content.take(row.values)
                        unstorable.note(row, of: table)
                    }
                }
            }
            let found = content.finished()
            contents[table.name] = found
            report(.read(table: table.name, rows: found.rows))
        }
        if unstorable.count > 0 { throw StorageMoveError.texts(path, unstorable.found, count: unstorable.count) }
        return contents
    }
}

extension MoveSource: SQLDatabase {
    package func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        do { return try await queue.read { try body(SQLConnection($0)) } } catch { throw StoreError(error) }
    }

    package func reading<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await read { try body(Transaction(context: $0)) }
    }
}

/// The rows with a text that PostgreSQL can't hold.
private struct UnstorableTexts {
    private static let mostNamed = 10

    /// The first ones, each with its table, column and key.
    private(set) var found: [String] = []
    private(set) var count = 0

    mutating func note(_ row: MovedRow, of table: MovedTable) {
        guard let place = row.unstorable else { return }
        count += 1
        guard found.count < Self.mostNamed else { return }
        let key = table.key.map { "\(table.columns[$0]) = \(row.values[$0].shown)" }.joined(separator: ", ")
        found.append("\(table.name).\(table.columns[place]) of the row \(key)")
    }
}
