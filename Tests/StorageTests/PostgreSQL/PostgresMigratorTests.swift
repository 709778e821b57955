import Kernel
import PostgresServer
import Testing

@testable import Storage

/// Migrations of a PostgreSQL database, and the schemas that are refused.
struct PostgresMigratorTests {
    private static let second = Migration(
        version: 2,
        name: "nicknames",
        sqlite: """
            ALTER TABLE accounts ADD COLUMN nickname TEXT NOT NULL DEFAULT '';
            UPDATE accounts SET nickname = lower(display_name);
            CREATE INDEX accounts_by_nickname ON accounts (nickname) WHERE nickname IS NOT '';
            """
    )

    private static let upgraded = Migrator(migrations: Migration.all + [second])

    private let server: PostgresServer

    init() async throws { server = try await PostgresServer.shared }

    @Test func `an empty database gets every migration once, with its checksum`() async throws {
        let database = try await server.emptyDatabase()
        let names = Migration.all.map(\.name)
        #expect(try PostgresDatabase.migrate(database.options, environment: .tests) == names)
        #expect(try PostgresDatabase.migrate(database.options, environment: .tests).isEmpty)
        let rows = try await database.run(
            "SELECT version, name, checksum, oldest_program, applied_at FROM schema_migrations ORDER BY version"
        )
        let expected = Migration.all.map { migration in
            [
                "\(migration.version)", migration.name, migration.checksum, "\(migration.version)",
                "\(TestDatabase.now.milliseconds)",
            ]
        }
        #expect(rows == expected)
    }

    @Test func `without migrating an older schema is refused with the command that helps, and not changed`()
        async throws
    {
        let database = try await server.emptyDatabase()
        let error = try #require(database.options.error())
        #expect(error.reason == .schema(.behind(missing: Migration.all.map(\.name))))
        #expect(error.message.contains("Run `vestibule migrate`"))
        #expect(try await objects(database).isEmpty)
        try database.migrate()
        #expect(database.refusal() == nil)
        #expect(database.refusal(with: Self.upgraded) == .schema(.behind(missing: ["nicknames"])))
        #expect(try await !objects(database).contains("accounts_by_nickname"))
    }

    @Test func `a missing step runs once, over the rows that are there`() async throws {
        let database = try await server.migratedDatabase()
        try await insertAccount(database)
        #expect(database.refusal(migrating: true, with: Self.upgraded) == nil)
        #expect(try await database.run("SELECT nickname FROM accounts") == [["ada"]])
        #expect(database.refusal(migrating: true, with: Self.upgraded) == nil)
        #expect(database.refusal(with: Self.upgraded) == nil)
    }

    @Test func `programs that migrate at the same time run each step once`() async throws {
        let database = try await server.emptyDatabase()
        let options = database.options
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<3 {
                group.addTask { try PostgresDatabase.migrate(options, environment: .tests) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(applied.flatMap { $0 } == Migration.all.map(\.name))
    }

    @Test func `a step that fails leaves nothing of itself or of the steps before it behind`() async throws {
        let database = try await server.emptyDatabase()
        let failing = Migration(version: 3, name: "nothing", sqlite: "DROP TABLE nothing;")
        let migrator = Migrator(migrations: Self.upgraded.migrations + [failing])
        guard case .failed(let cause) = database.refusal(migrating: true, with: migrator) else {
            Issue.record("it was migrated")
            return
        }
        #expect(cause.contains("nothing"))
        #expect(try await objects(database).isEmpty)
        #expect(database.refusal(migrating: true) == nil)
    }

    @Test func `a migration gives up when another program uses a table for long, and changes nothing`() async throws {
        let database = try await server.migratedDatabase()
        let holder = try PostgresConnection(database.options, clock: Environment.tests.clock)
        holder.begin(.serializable)
        _ = try holder.run("SELECT id FROM accounts")
        let opening = PostgresOpening(
            options: database.options,
            clock: Environment.tests.clock,
            migrator: Self.upgraded,
            patience: .milliseconds(200)
        )
        let error = #expect(throws: PostgresOpenError.self) {
            try opening.prepare(migrating: true, at: TestDatabase.now)
        }
        guard case .busy = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.message.contains("vestibule migrate") == true)
        try holder.commit()
        holder.close()
        #expect(database.refusal() == nil)
    }

    @Test func `a migration waits for another one, and gives up when that takes long`() async throws {
        let database = try await server.emptyDatabase()
        let holder = try PostgresConnection(database.options, clock: Environment.tests.clock)
        _ = try PostgresMigrator(connection: holder).migrate(at: TestDatabase.now)
        // The lock is held until the connection ends.
        let opening = PostgresOpening(
            options: database.options,
            clock: Environment.tests.clock,
            migrator: Self.upgraded,
            patience: .milliseconds(200)
        )
        let error = #expect(throws: PostgresOpenError.self) {
            try opening.prepare(migrating: true, at: TestDatabase.now)
        }
        guard case .busy = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        holder.close()
        #expect(database.refusal(migrating: true, with: Self.upgraded) == nil)
    }

    @Test func `an older program refuses the schema of a newer one, and changes nothing`() async throws {
        let database = try await server.migratedDatabase()
        #expect(database.refusal(migrating: true, with: Self.upgraded) == nil)
        for isMigrating in [true, false] {
            #expect(database.refusal(migrating: isMigrating) == .schema(.newer(found: 2, known: 1)))
        }
    }

    @Test func `an older program runs beside a newer one where the migration says so`() async throws {
        let database = try await server.migratedDatabase()
        var gentle = Self.second
        gentle.oldestProgram = 1
        let migrator = Migrator(migrations: Migration.all + [gentle])
        #expect(database.refusal(migrating: true, with: migrator) == nil)
        #expect(database.refusal() == nil)
        #expect(database.refusal(with: migrator) == nil)
    }

    // T-211
    @Test func `attack: a migration with another checksum is refused`() async throws {
        let database = try await server.migratedDatabase()
        try await database.run("UPDATE schema_migrations SET checksum = 'x' WHERE version = 1")
        for isMigrating in [true, false] {
            let expected = SchemaError.tampered(version: 1, name: "schema of 0.1.0")
            #expect(database.refusal(migrating: isMigrating) == .schema(expected))
        }
    }

    // T-211
    @Test(arguments: [
        ("ALTER TABLE accounts ADD COLUMN backdoor TEXT", "accounts"),
        ("ALTER TABLE accounts ALTER COLUMN display_name DROP NOT NULL", "accounts"),
        ("ALTER TABLE accounts ALTER COLUMN created_at TYPE INTEGER", "accounts"),
        ("ALTER TABLE accounts DROP CONSTRAINT accounts_state_check", "accounts"),
        ("ALTER TABLE sessions DROP CONSTRAINT sessions_account_fkey", "sessions"),
        ("ALTER TABLE accounts ENABLE ROW LEVEL SECURITY", "accounts"),
        ("CREATE RULE more AS ON DELETE TO accounts DO INSTEAD NOTHING", "accounts"),
        ("CREATE TABLE more (id INTEGER)", "more"),
        ("DROP TABLE enrolments", "enrolments"),
        ("DROP INDEX enrolments_by_reference", "enrolments_by_reference"),
        ("CREATE INDEX more ON accounts (display_name)", "more"),
        (
            "CREATE TRIGGER more BEFORE UPDATE ON accounts FOR EACH ROW "
                + "EXECUTE FUNCTION suppress_redundant_updates_trigger()",
            "accounts"
        ),
        ("CREATE VIEW more AS SELECT * FROM accounts", "more"),
        ("CREATE SEQUENCE more", "more"),
        ("ALTER TABLE enrolments SET UNLOGGED", "enrolments"),
    ])
    func `attack: an altered schema is refused, and the error names the object`(
        _ sql: String,
        _ name: String
    ) async throws {
        let database = try await server.migratedDatabase()
        #expect(database.refusal() == nil)
        try await database.run(sql)
        for isMigrating in [true, false] {
            guard case .schema(.altered(let objects)) = database.refusal(migrating: isMigrating) else {
                Issue.record("it was opened")
                return
            }
            #expect(objects.contains(name))
        }
        #expect(database.options.error()?.message.contains(name) == true)
    }

    @Test(arguments: [
        ("ALTER TABLE accounts DISABLE TRIGGER ALL", "accounts"),
        (
            "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = CAST('enrolments_by_reference' AS REGCLASS)",
            "enrolments_by_reference"
        ),
    ])
    func `attack: a foreign key or an index that is switched off is refused`(_ sql: String, _ name: String) async throws
    {
        let database = try await server.migratedDatabase()
        try await server.run(sql, in: database.name, as: PostgresServer.superuser)
        #expect(database.refusal() == .schema(.altered(objects: [name])))
    }

    @Test func `a database of something else is refused and left as it was`() async throws {
        let database = try await server.emptyDatabase()
        try await database.run("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')")
        let error = try #require(database.options.error(migrating: true))
        #expect(error.reason == .schema(.notVestibule))
        #expect(error.message.contains("storage.postgres.url"))
        #expect(try await objects(database) == ["notes"])
    }

    @Test func `the views of an extension are nobody's tables`() async throws {
        let database = try await server.emptyDatabase()
        let superuser = PostgresServer.superuser
        try await server.run("CREATE EXTENSION pg_buffercache", in: database.name, as: superuser)
        #expect(database.refusal(migrating: true) == nil)
        #expect(database.refusal() == nil)
    }

    @Test func `a copy that pg_dump made and psql read is the same schema`() async throws {
        let database = try await server.migratedDatabase()
        let copy = try await server.emptyDatabase()
        // Run by the server, whose programs these are.
        let connect = "-h \(server.folder) -p \(server.port) -U \(PostgresServer.owner)"
        let command = "pg_dump \(connect) \(database.name) | psql -q -v ON_ERROR_STOP=1 \(connect) \(copy.name)"
        let superuser = PostgresServer.superuser
        try await server.run("COPY (SELECT 1) TO PROGRAM '\(command) >/dev/null'", in: superuser, as: superuser)
        #expect(copy.refusal() == nil)
    }

    private func insertAccount(_ database: TestPostgresDatabase) async throws {
        try await database.run(
            "INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'Ada', 'active', 0)"
        )
    }

    /// Returns the names of the tables and indices in the database.
    private func objects(_ database: TestPostgresDatabase) async throws -> [String] {
        try await database.run("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1")
            .compactMap { $0.first ?? nil }
    }
}

/// The rights that a role needs.
struct PostgresRightsTests {
    private let database: TestPostgresDatabase
    /// A role that owns nothing.
    private let role = "role_\(UInt64.random(in: 0...UInt64.max))"

    init() async throws {
        database = try await PostgresServer.shared.migratedDatabase()
        let superuser = PostgresServer.superuser
        try await database.server.run("CREATE ROLE \(role) LOGIN", in: superuser, as: superuser)
    }

    @Test func `a role that may read and write every table needs not be the owner`() async throws {
        try await database.run("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)")
        #expect(database.refusal(as: role) == nil)
        try await database.run("REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM \(role)")
        #expect(database.refusal(as: role) == nil)
    }

    @Test(arguments: ["SELECT", "INSERT", "UPDATE", "DELETE"])
    func `a right that the role lacks on a table is named`(_ right: String) async throws {
        try await database.run("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)")
        try await database.run("REVOKE \(right) ON sessions FROM \(role)")
        #expect(database.refusal(as: role) == .rights(["\(right) on sessions"]))
    }

    @Test func `a role that may not see the migrations is told so`() async throws {
        guard case .rights(let missing) = database.refusal(as: role) else {
            Issue.record("it was opened")
            return
        }
        #expect(missing.first?.contains("schema_migrations") == true)
    }

    @Test func `a role that may not create tables can't migrate`() async throws {
        let empty = try await PostgresServer.shared.emptyDatabase()
        #expect(empty.refusal(migrating: true, as: role) == .rights(["CREATE on the schema"]))
    }

    @Test func `a role that may not use the schema or create temporary tables is told so`() async throws {
        try await database.run("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)")
        try await database.run("REVOKE TEMPORARY ON DATABASE \(database.name) FROM PUBLIC")
        #expect(database.refusal(as: role) == .rights(["TEMPORARY on the database"]))
        try await database.run("REVOKE USAGE ON SCHEMA public FROM PUBLIC")
        #expect(database.refusal(as: role) == .rights(["USAGE on the schema"]))
        try await database.run("REVOKE CONNECT ON DATABASE \(database.name) FROM PUBLIC")
        #expect(database.refusal(as: role) == .rights(["CONNECT on the database"]))
    }
}
