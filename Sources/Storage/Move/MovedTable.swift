import GRDB
import Kernel

/// A table of the SQLite file, as far as its rows are read and written somewhere else.
///
/// The names are those of the migrations, because the shape of the file was compared with them. So a text of SQL may
/// have them.
struct MovedTable: Sendable, Equatable {
    let name: String
    /// The columns, in their order.
    let columns: [String]
    /// The places in ``columns`` of those that identify a row and are never NULL.
    let key: [Int]
    /// Whether the database assigns the key of a new row: above those of all rows.
    let isNumbered: Bool
    /// The tables that the rows refer to.
    let references: Set<String>

    /// Reads the tables of a SQLite database, each after those that it refers to, without the one of the migrations.
    static func all(_ connection: SQLConnection) throws -> [MovedTable] {
        let names = try connection.all(
            """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations' ORDER BY name
            """
        ) { try $0.text("name") }
        return try ordered(names.map { try MovedTable($0, connection) })
    }

    /// Returns the tables in an order in which each comes after those that it refers to.
    static func ordered(_ tables: [MovedTable]) throws -> [MovedTable] {
        var (left, done) = (tables, [MovedTable]())
        while !left.isEmpty {
            let names = Set(left.map(\.name))
            let ready = left.filter { names.isDisjoint(with: $0.references) }
            guard !ready.isEmpty else {
                throw StoreError.corrupt(cause: "tables refer to each other: \(names.sorted().joined(separator: ", "))")
            }
            done += ready
            left.removeAll { table in ready.contains { $0.name == table.name } }
        }
        return done
    }

    private init(_ name: String, _ connection: SQLConnection) throws {
        let found = try connection.all(
            """
            SELECT name, pk, type, "notnull" AS is_required FROM pragma_table_info(?) ORDER BY cid
            """,
            [name.column]
        ) { row in
            Column(
                name: try row.text("name"),
                keyPlace: try row.count("pk"),
                type: try row.text("type"),
                isRequired: try row.flag("is_required")
            )
        }
        var key = found.indices.filter { found[$0].keyPlace > 0 }.sorted { found[$0].keyPlace < found[$1].keyPlace }
        let numbers = key.filter { found[$0].name == "number" && found[$0].type == "INTEGER" }
        isNumbered = key.count == 1 && numbers.count == 1
        if key.isEmpty { key = try Self.uniqueKey(of: name, among: found, connection) }
        guard !key.isEmpty else { throw StoreError.corrupt(cause: "no column identifies the rows of \(name)") }
        self.key = key
        self.name = name
        columns = found.map(\.name)
        let referred = try connection.all(
            #"SELECT "table" AS name FROM pragma_foreign_key_list(?)"#,
            [name.column]
        ) { try $0.text("name") }
        references = Set(referred)
    }

    private struct Column {
        let name: String
        /// The place in the primary key, counted from 1; 0 for other columns.
        let keyPlace: Int
        let type: String
        let isRequired: Bool
    }

    /// Returns the columns of an index that makes them unique, for a table without a primary key.
    private static func uniqueKey(
        of table: String,
        among columns: [Column],
        _ connection: SQLConnection
    ) throws -> [Int] {
        let indices = try connection.all(
            #"SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND partial = 0 ORDER BY name"#,
            [table.column]
        ) { try $0.text("name") }
        for index in indices {
            let names = try connection.all("SELECT name FROM pragma_index_info(?) ORDER BY seqno", [index.column]) {
                try $0.text("name")
            }
            let places = names.compactMap { name in columns.firstIndex { $0.name == name && $0.isRequired } }
            if !places.isEmpty, places.count == names.count { return places }
        }
        return []
    }
}

/// The statements, in the SQL that both engines run.
extension MovedTable {
    /// The first rows in the order of the key, as many as the one value says.
    var firstRows: String { "\(selected) \(end)" }

    /// The rows after the one of a key, whose values come before the number of rows.
    var nextRows: String { "\(selected) WHERE (\(keyNames)) > (\(Self.places(key.count))) \(end)" }

    var insert: String { "INSERT INTO \(quoted) (\(names)) VALUES (\(Self.places(columns.count)))" }

    var quoted: String { Self.quoted(name) }

    private var selected: String { "SELECT \(names) FROM \(quoted)" }

    private var end: String { "ORDER BY \(keyNames) LIMIT ?" }

    private var names: String { columns.map(Self.quoted).joined(separator: ", ") }

    private var keyNames: String { key.map { Self.quoted(columns[$0]) }.joined(separator: ", ") }

    private static func quoted(_ name: String) -> String { "\"\(name)\"" }

    /// With a space between them: a list without one would be prepared again each time.
    private static func places(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }
}
