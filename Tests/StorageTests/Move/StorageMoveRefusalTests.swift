import Foundation
import GRDB
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// Moves that are refused with a code and a sentence, before a row is copied.
struct StorageMoveRefusalTests {
    private let fixture: MoveFixture

    init() async throws { fixture = try await MoveFixture() }

    /// Returns the refusal of a move to another database, which copies nothing.
    private func refusal(from path: String? = nil, to options: PostgresOptions? = nil) async throws -> StorageMoveError
    {
        let progress = Collected<MoveProgress>()
        do {
            let source = try MoveSource(SQLiteDatabase.Options(path: path ?? fixture.file.path))
            let move = StorageMove(from: source, to: options ?? fixture.target.options, environment: .tests) {
                progress.add($0)
            }
            _ = try await move.run { _ in }
        } catch {
            #expect(progress.all.isEmpty)
            return try #require(StorageMoveError(error), "\(error)")
        }
        throw Unexpected()
    }

    private struct Unexpected: Error {}

    @Test func `texts that PostgreSQL can't hold are named by table, column and key before anything is copied`()
        async throws
    {
        let ids = try fixture.file.rows("SELECT id FROM accounts ORDER BY id").map { $0["id"] as String }
        let first = try #require(ids.first)
        let device = try #require(try fixture.file.rows("SELECT id FROM devices ORDER BY id").first)["id"] as String
        try fixture.file.tamper(
            """
            UPDATE accounts SET display_name = 'a' || char(0) || 'b' WHERE id = '\(first)';
            UPDATE devices SET label = CAST(x'ff41' AS TEXT) WHERE id = '\(device)';
            INSERT INTO accounts (id, display_name, state, created_at) VALUES ('z' || char(0), 'Z', 'active', 0);
            """
        )
        let progress = Collected<MoveProgress>()
        let refusal = try #require(try await fixture.refusal { progress.add($0) })
        #expect(refusal.code == .sourceText && refusal.isRefusal)
        #expect(refusal.message.contains("can't hold 3 text(s)"), "\(refusal)")
        for place in [
            "accounts.display_name of the row id = \"\(first)\"", "devices.label of the row id = \"\(device)\"",
            #"accounts.id of the row id = "z\0""#,
        ] { #expect(refusal.message.contains(place), "\(refusal)") }
        #expect(!progress.all.contains { if case .copied = $0 { true } else { false } })
        #expect(try await fixture.rowsOfTarget() == 0)
    }

    @Test func `a missing file, and one that a migration or another program changed, are refused`() async throws {
        #expect(try await refusal(from: fixture.file.folder + "/none.sqlite").code == .sourceMissing)
        #expect(!FileManager.default.fileExists(atPath: fixture.file.folder + "/none.sqlite"))
        try fixture.file.tamper("CREATE INDEX further ON accounts (state)")
        #expect(try await refusal().code == .sourceSchema)
        try fixture.file.tamper("DROP INDEX further; DELETE FROM schema_migrations")
        let behind = try await refusal()
        #expect(behind.code == .sourceSchema && behind.message.contains("Run `vestibule migrate`"))
        try fixture.file.write(Data("no database at all, but a text".utf8))
        #expect(try await refusal().code == .sourceUnreadable)
        #expect(try await fixture.rowsOfTarget() == 0)
    }

    // T-270
    @Test func `a database with rows is refused with what was found, and keeps them`() async throws {
        try fixture.target.migrate()
        try await fixture.target.run(
            """
            INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'A', 'active', 0);
            INSERT INTO lockouts (subject, tries, last_tried_at) SELECT decode(lpad(to_hex(i), 64, '0'), 'hex'), 1, 0
            FROM generate_series(1, 1200) AS numbers (i);
            """
        )
        let refusal = try await refusal()
        #expect(refusal.code == .targetNotEmpty && refusal.isRefusal)
        #expect(refusal.message.contains("accounts 1, lockouts 1000 or more"), "\(refusal)")
        #expect(try await fixture.rowsOfTarget() == 1201)
    }

    @Test func `a database that was moved to is refused the second time`() async throws {
        let moved = try await fixture.move()
        #expect(try await refusal().code == .targetNotEmpty)
        #expect(try await fixture.rowsOfTarget() == moved.rows)
    }

    // T-215, T-270
    @Test func `a database of other keys is refused`() async throws {
        try fixture.target.migrate()
        let mark = try #require(Digest256(Array(repeating: UInt8(1), count: 32)))
        _ = try PostgresDatabase.keep(keyMark: mark, in: fixture.target.options, environment: .tests)
        let refusal = try await refusal()
        #expect(refusal.code == .keyMarkDiffers && !refusal.isRefusal)
        #expect(try await fixture.rowsOfTarget() == 1)
    }

    // T-221, T-270
    @Test func `a database that a daemon uses is refused`() async throws {
        let claim = try PostgresClaim(.shared, fixture.target.options, clock: Environment.tests.clock) { _ in }
        #expect(try await refusal().code == .targetInUse)
        claim.close()
        _ = try await fixture.move()
    }

    @Test func `a server that can't be used is refused with its reason`() async throws {
        let server = try await PostgresServer.shared
        let foreign = try await server.emptyDatabase()
        try await foreign.run("CREATE TABLE notes (text TEXT)")
        let cases: [(String, StorageMoveError.Code)] = [
            ("postgres://127.0.0.1:1/people", .targetUnreachable),
            (server.url(of: "no_such_database"), .targetUnreachable),
            (fixture.target.networkURL, .targetLogin), (foreign.url, .targetSchema),
        ]
        for (url, code) in cases {
            let refusal = try await refusal(to: PostgresOptions(url: Secret(url)))
            #expect(refusal.code == code, "\(refusal)")
            #expect(!refusal.isRefusal && !refusal.message.contains("\n"))
        }
        #expect(try await foreign.run("SELECT COUNT(*) FROM notes") == [["0"]])
    }

    @Test func `a role that may not make tables is refused`() async throws {
        try await fixture.target.server.run(
            "ALTER SCHEMA public OWNER TO \(PostgresServer.superuser); REVOKE CREATE ON SCHEMA public FROM PUBLIC",
            in: fixture.target.name,
            as: PostgresServer.superuser
        )
        #expect(try await refusal().code == .targetRights)
    }

    @Test func `a row that violates a reference is refused with its table, and moves nothing`() async throws {
        try fixture.file.tamper("INSERT INTO account_attributes (account, name, value) VALUES ('nobody', 'a', 'b')")
        let refusal = try #require(try await fixture.refusal())
        #expect(refusal.code == .targetRefusedRow)
        #expect(refusal.message.contains("a row of account_attributes"), "\(refusal)")
        #expect(try await fixture.rowsOfTarget() == 0)
    }

    @Test func `each code is a word that scripts can compare`() {
        let codes = StorageMoveError.Code.allCases.map(\.rawValue)
        #expect(Set(codes).count == codes.count)
        #expect(codes.allSatisfy { $0.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil })
    }
}
