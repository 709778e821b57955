import GRDB
import PostgresServer
import Testing

@testable import Storage

/// The schema on PostgreSQL is the one on SQLite, for every table that both have.
struct PostgresSchemaTests {
    private let file: TestDatabase
    private let database: TestPostgresDatabase

    init() async throws {
        file = try TestDatabase()
        try file.open().close()
        // What only PostgreSQL has is written in SQLite's words too.
        try file.tamper(Migration.all.map(\.postgresOnly).joined(separator: "\n"))
        database = try await PostgresServer.shared.emptyDatabase()
        _ = try PostgresDatabase.migrate(database.options, environment: .tests)
    }

    @Test func `tables have the same columns, with the same types, defaults and marks of NULL`() async throws {
        let expected = try file.rows(
            """
            SELECT tables.name || '.' || columns.name || ' ' || columns.type
                || CASE columns."notnull" WHEN 1 THEN ' NOT NULL' ELSE '' END
                || COALESCE(' DEFAULT ' || columns.dflt_value, '') AS line
            FROM sqlite_schema AS tables JOIN pragma_table_xinfo(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
            """
        ).map { ($0["line"] as String).replacing("INTEGER", with: "BIGINT").replacing("BLOB", with: "BYTEA") }
        let found = try await lines(
            """
            SELECT table_name || '.' || column_name || ' ' || upper(data_type)
                || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END
                || COALESCE(' DEFAULT ' || column_default, '')
            FROM information_schema.columns WHERE table_schema = 'public'
            """
        ).map { $0.replacing("::text", with: "") }
        #expect(found.count > 350)
        // SQLite is used by one program alone.
        #expect(Set(found).subtracting(expected) == ["schema_migrations.oldest_program BIGINT NOT NULL"])
        #expect(Set(expected).subtracting(found).isEmpty)
    }

    @Test func `every text is compared by its bytes, as SQLite does`() async throws {
        let others = try await lines(
            """
            SELECT table_name || '.' || column_name FROM information_schema.columns
            WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
            """
        )
        #expect(others.isEmpty)
    }

    @Test func `exactly the columns named number that are a primary key are assigned by the database`() async throws {
        let expected = try file.rows(
            """
            SELECT tables.name FROM sqlite_schema AS tables JOIN pragma_table_xinfo(tables.name) AS columns
            WHERE tables.type = 'table' AND columns.name = 'number'
                AND (SELECT COUNT(*) FROM pragma_table_xinfo(tables.name) WHERE pk > 0) = 1
            """
        ).map { $0["name"] as String }
        let found = try await lines(
            """
            SELECT table_name FROM information_schema.columns
            WHERE table_schema = 'public' AND is_identity = 'YES' AND identity_generation = 'BY DEFAULT'
            """
        )
        #expect(found.count >= 5)
        #expect(Set(found) == Set(expected))
    }

    @Test func `tables have the same primary keys, uniqueness and indices, with the same conditions`() async throws {
        let tables = try file.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        var expected: [String] = []
        for table in tables { expected += try sqliteIndices(of: table["name"]) }
        let found = try await lines(
            """
            SELECT CAST(tables.relname AS TEXT) || CASE WHEN indisprimary THEN ' PRIMARY' WHEN indisunique THEN ' UNIQUE'
                ELSE '' END || ' ('
                || (SELECT string_agg(pg_get_indexdef(indexrelid, place, true)
                    || CASE indoption[place - 1] & 1 WHEN 1 THEN ' DESC' ELSE '' END, ', ' ORDER BY place)
                    FROM generate_series(1, indnkeyatts) AS places (place)) || ')'
                || COALESCE(' WHERE ' || pg_get_expr(indpred, indrelid), '')
            FROM pg_index JOIN pg_class AS tables ON tables.oid = indrelid
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'public')
            """
        ).map(Self.plain)
        #expect(found.count > 90)
        #expect(found.sorted() == expected.map(Self.plain).sorted())
        let names = try file.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        let known = Set(try await lines("SELECT indexname FROM pg_indexes WHERE schemaname = 'public'"))
        #expect(Set(names.map { $0["name"] as String }).subtracting(known).isEmpty)
    }

    @Test func `references point to the same columns, and take their rows along in the same way`() async throws {
        let expected = try file.rows(
            """
            SELECT tables.name || ' (' || group_concat(keys."from", ', ') || ') ' || keys."table" || ' ('
                || group_concat(keys."to", ', ') || ') ' || keys.on_delete || ' ' || keys.on_update AS line
            FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys
            WHERE tables.type = 'table' GROUP BY tables.name, keys.id
            """
        ).map { $0["line"] as String }
        let found = try await lines(
            """
            SELECT CAST(conrelid::regclass AS TEXT) || ' ('
                || (SELECT string_agg(attname, ', ' ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS keys (number, place)
                    JOIN pg_attribute ON attrelid = conrelid AND attnum = number) || ') '
                || CAST(confrelid::regclass AS TEXT) || ' ('
                || (SELECT string_agg(attname, ', ' ORDER BY place) FROM unnest(confkey) WITH ORDINALITY AS keys (number, place)
                    JOIN pg_attribute ON attrelid = confrelid AND attnum = number) || ') '
                || CASE confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'a' THEN 'NO ACTION' ELSE 'other' END || ' '
                || CASE confupdtype WHEN 'c' THEN 'CASCADE' WHEN 'a' THEN 'NO ACTION' ELSE 'other' END
            FROM pg_constraint WHERE contype = 'f' AND NOT condeferrable
            """
        )
        #expect(found.count > 25)
        #expect(found.sorted() == expected.sorted())
    }

    @Test func `every table has the same number of CHECKs`() async throws {
        let tables = try file.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL")
        let expected = tables.flatMap { table in
            Array(repeating: table["name"] as String, count: (table["sql"] as String).ranges(of: "CHECK (").count)
        }
        let found = try await lines(
            """
            SELECT CAST(conrelid::regclass AS TEXT) FROM pg_constraint WHERE contype = 'c'
                AND connamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'public')
            """
        )
        #expect(found.count > 150)
        #expect(found.sorted() == expected.sorted())
    }

    private func lines(_ sql: String) async throws -> [String] {
        try await database.run(sql).compactMap { $0.first ?? nil }
    }

    /// Returns the indices of a table on SQLite, with the primary key of a table of numbered rows, which has none.
    private func sqliteIndices(of table: String) throws -> [String] {
        let indices = try file.rows("SELECT name, \"unique\" AS is_unique, origin FROM pragma_index_list('\(table)')")
        var lines = try indices.map { index in
            let columns = try file.rows(
                "SELECT name, \"desc\" AS is_descending FROM pragma_index_xinfo('\(index["name"] as String)') WHERE key = 1"
            ).map { ($0["name"] as String) + ($0["is_descending"] == 1 ? " DESC" : "") }
            let sql = try file.rows("SELECT sql FROM sqlite_schema WHERE name = '\(index["name"] as String)'").first
            let text = (sql?["sql"] as String?)?.replacing("\n", with: " ")
            let condition = text?.firstRange(of: " WHERE ").map { String(text?[$0.lowerBound...] ?? "") } ?? ""
            let isUnique: Bool = index["is_unique"] == 1
            let kind = index["origin"] == "pk" ? " PRIMARY" : isUnique ? " UNIQUE" : ""
            return "\(table)\(kind) (\(columns.joined(separator: ", ")))\(condition)"
        }
        if !indices.contains(where: { $0["origin"] == "pk" }) {
            let keys = try file.rows("SELECT name FROM pragma_table_xinfo('\(table)') WHERE pk > 0 ORDER BY pk")
            if !keys.isEmpty {
                lines.append("\(table) PRIMARY (\(keys.map { $0["name"] as String }.joined(separator: ", ")))")
            }
        }
        return lines
    }

    /// Returns a text without what the two engines print differently.
    private static func plain(_ line: String) -> String {
        line.replacing("::text", with: "").replacing("IS NOT '", with: "IS DISTINCT FROM '")
            .replacing("(", with: " ").replacing(")", with: " ")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// The text of a migration for PostgreSQL, from the text for SQLite.
struct PostgresSchemaTextTests {
    @Test func `words are translated outside of literals alone, and comments are left out`() {
        let migration = Migration(
            version: 2,
            name: "notes",
            sqlite: """
                -- It's a table; of INTEGER.
                CREATE TABLE notes (
                    number INTEGER PRIMARY KEY NOT NULL,
                    -- TEXT
                    kind TEXT NOT NULL DEFAULT 'TEXT' CHECK (kind IN ('INTEGER', 'a BLOB')),
                    large_number INTEGER,
                    body BLOB
                ) STRICT;
                CREATE INDEX short_notes ON notes (kind) WHERE kind IS NOT 'BLOB' AND body IS NOT NULL;

                CREATE TABLE words (word TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
                """
        )
        #expect(
            PostgresSchema.statements(of: migration) == [
                """
                CREATE TABLE notes (
                    number BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                    kind TEXT COLLATE "C" NOT NULL DEFAULT 'TEXT' CHECK (kind IN ('INTEGER', 'a BLOB')),
                    large_number BIGINT,
                    body BYTEA
                )
                """,
                "CREATE INDEX short_notes ON notes (kind) WHERE kind IS DISTINCT FROM 'BLOB' AND body IS NOT NULL",
                #"CREATE TABLE words (word TEXT COLLATE "C" PRIMARY KEY NOT NULL)"#,
            ]
        )
    }
}
