import Kernel
import PostgresServer
import Testing

@testable import Storage

/// The constraints of PostgreSQL itself refuse what those of SQLite refuse.
struct PostgresConstraintTests {
    private let database: TestPostgresDatabase
    private let connection: PostgresConnection

    init() async throws {
        database = try await PostgresServer.shared.migratedDatabase()
        // Functions that SQLite has.
        try await database.run(
            """
            CREATE FUNCTION zeroblob(INTEGER) RETURNS BYTEA LANGUAGE SQL
                AS $$ SELECT decode(repeat('00', $1), 'hex') $$;
            CREATE FUNCTION hex(BYTEA) RETURNS TEXT LANGUAGE SQL AS $$ SELECT upper(encode($1, 'hex')) $$;
            CREATE FUNCTION randomblob(INTEGER) RETURNS BYTEA LANGUAGE SQL VOLATILE
                AS $$ SELECT substr(sha256(decode(md5(CAST(random() AS TEXT)), 'hex')), 1, $1) $$;
            """
        )
        try await database.run(Self.spelled(SchemaTests.rows))
        connection = try PostgresConnection(database.options, clock: Environment.tests.clock)
    }

    @Test func `each CHECK refuses what it is there for and takes the rest`() {
        for check in SchemaTests.checks {
            #expect(state("UPDATE \(check.table) SET \(check.refused)") == "23514", "\(check)")
            #expect(state("UPDATE \(check.table) SET \(check.taken)") == nil, "\(check.table): \(check.taken)")
        }
    }

    @Test func `a row that refers to nothing is refused`() {
        for (table, changes) in SchemaTests.references {
            for change in changes { #expect(state("UPDATE \(table) SET \(change)") == "23503", "\(table): \(change)") }
        }
    }

    @Test func `an account takes all that refers to it along`() async throws {
        try await database.run("DELETE FROM accounts")
        for table in SchemaTests.references.keys where table != "oauth_client_secrets" && table != "scans" {
            let rows = try await database.run("SELECT 1 FROM \(table) LIMIT 1")
            // Rows that name no account yet.
            let isOwned = !["oauth_interactions", "device_authorizations", "passkey_challenges"].contains(table)
            #expect(rows.isEmpty == isOwned, "\(table)")
        }
    }

    @Test func `text in the place of a time is refused, not converted`() {
        #expect(state("UPDATE accounts SET created_at = 'yesterday'") == "22P02")
    }

    /// Runs a statement, undoes it, and returns the SQLSTATE of its error, or `nil`.
    private func state(_ sql: String) -> String? {
        connection.begin(.serializable)
        defer { connection.rollback() }
        do throws(PostgresError) {
            _ = try connection.run(Self.spelled(sql))
            return nil
        } catch {
            guard case .server(let state, _) = error else { return "\(error)" }
            return state
        }
    }

    /// Returns the statement with PostgreSQL's literals for bytes.
    private static func spelled(_ sql: String) -> String {
        sql.replacing(#/\bx'([0-9a-fA-F]*)'/#) { #"'\x\#($0.output.1)'"# }
    }
}
