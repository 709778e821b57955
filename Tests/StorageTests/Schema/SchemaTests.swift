import GRDB
import Kernel
import Operations
import Sessions
import Testing

@testable import Storage

/// The constraints of the database itself, whatever a program writes.
struct SchemaTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase

    init() throws {
        file = try TestDatabase()
        database = try file.open()
    }

    @Test func `the writer keeps a log, syncs it on every commit and checks references`() async throws {
        #expect(try await pragma("journal_mode") == "wal")
        #expect(try await pragma("synchronous") == "2", "FULL")
        #expect(try await pragma("foreign_keys") == "1")
        #expect(try await pragma("wal_autocheckpoint") == "4000")
        #expect(try await pragma("journal_size_limit") == "67108864")
    }

    @Test func `normal durability is what the operator asked for, and full is the default`() async throws {
        #expect(SQLiteDatabase.Options(path: "x").durability == .full)
        try database.close()
        let normal = try file.open(durability: .normal)
        let synchronous = try await normal.pool.writeWithoutTransaction {
            try String.fetchOne($0, sql: "PRAGMA synchronous")
        }
        #expect(synchronous == "1")
    }

    /// SQLite keeps the values of an `IN` in a temporary tree if there are more than two.
    ///
    /// A CHECK builds it for each row: that was thirteen trees for a login. `OR` only compares.
    @Test func `no check builds a temporary tree`() throws {
        let tables = try file.rows(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'"
        )
        for table in tables.map({ $0["name"] as String }) {
            let columns = try file.rows("SELECT name FROM pragma_table_info('\(table)')").map { $0["name"] as String }
            let values = Array(repeating: "NULL", count: columns.count).joined(separator: ", ")
            let steps = try file.rows(
                "EXPLAIN INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))"
            )
            #expect(steps.count > 3 && !steps.contains { ($0["opcode"] as String) == "OpenEphemeral" }, "\(table)")
        }
        #expect(tables.count >= 9)
    }

    @Test func `every table is strict`() async throws {
        let tables = try file.rows("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'")
        let ours = tables.filter { !($0["name"] as String).hasPrefix("sqlite_") }
        #expect(ours.count >= 9)
        for table in ours { #expect(table["strict"] == 1, "\(table["name"] as String)") }
    }

    /// A value that a CHECK refuses, and one that it takes.
    struct Check: Sendable, CustomTestStringConvertible {
        let table: String
        let refused: String
        let taken: String

        var testDescription: String { "\(table): \(refused)" }
    }

    static func tooLong(_ column: String) -> String {
        "\(column) = '\(String(repeating: "x", count: 101))'"
    }

    static let checks = [
        tableChecks, operationChecks, passkeyChecks, originChecks, oauthChecks, paymentChecks, walletChecks,
        keyMarkChecks,
    ].flatMap { $0 }

    private static let tableChecks = [
        Check(table: "accounts", refused: "state = 'gone'", taken: "state = 'disabled'"),
        Check(table: "identifiers", refused: "kind = 'phone'", taken: "kind = 'username'"),
        Check(table: "identifiers", refused: "is_verified = 2", taken: "is_verified = 0"),
        Check(table: "enrolments", refused: "state = 'pending'", taken: "state = 'revoked'"),
        Check(table: "device_links", refused: "cookie = x'00'", taken: "cookie = zeroblob(32)"),
        Check(
            table: "device_links",
            refused: "methods = '\(String(repeating: "x", count: 201))'",
            taken: "methods = 'face otp'"
        ),
        Check(table: "sessions", refused: "is_device_proven = 2", taken: "is_device_proven = 1"),
        Check(table: "devices", refused: "is_credential_unproven = 2", taken: "is_credential_unproven = 1"),
        Check(table: "refresh_tokens", refused: "jti_hash = zeroblob(33)", taken: "jti_hash = zeroblob(32)"),
        Check(table: "refresh_tokens", refused: "family = x''", taken: "family = zeroblob(32)"),
        Check(table: "refresh_tokens", refused: "parent = zeroblob(31)", taken: "parent = NULL"),
        Check(table: "refresh_tokens", refused: "child = zeroblob(33)", taken: "child = zeroblob(32)"),
        Check(table: "refresh_tokens", refused: "is_rotation_proven = 2", taken: "is_rotation_proven = 1"),
        Check(table: "devices", refused: "name = ''", taken: "name = 'phone'"),
        Check(table: "devices", refused: "credential = x'00'", taken: "credential = NULL"),
        Check(table: "devices", refused: tooLong("label"), taken: "label = ''"),
        Check(table: "devices", refused: "platform = 'windows'", taken: "platform = 'ios'"),
        Check(
            table: "device_keys",
            refused: "public_key = '\(String(repeating: "x", count: 391))'",
            taken: "public_key = '\(String(repeating: "x", count: 392))'"
        ),
        Check(table: "device_keys", refused: "biometric = 'voice'", taken: "biometric = 'fingerprint'"),
        Check(table: "device_challenges", refused: "challenge = x'00'", taken: "challenge = zeroblob(32)"),
        Check(table: "push_tokens", refused: "sealed = ''", taken: "sealed = '\(String(repeating: "x", count: 39))'"),
        Check(table: "email_codes", refused: "address = x'00'", taken: "address = zeroblob(32)"),
        Check(table: "email_codes", refused: "device = ''", taken: "device = 'phone'"),
        Check(table: "email_codes", refused: "digits = zeroblob(31)", taken: "digits = zeroblob(32)"),
        Check(table: "email_codes", refused: "link = zeroblob(33)", taken: "link = zeroblob(32)"),
        Check(table: "email_codes", refused: "wrong_tries = 6", taken: "wrong_tries = 5"),
        Check(table: "mail_queue", refused: "kind = 'spam'", taken: "kind = 'test'"),
        Check(table: "mail_queue", refused: "state = 'sent'", taken: "state = 'bounced', message = NULL, ended_at = 5"),
        Check(table: "mail_queue", refused: "sealing_key = ''", taken: "sealing_key = 'k'"),
        Check(table: "mail_queue", refused: "recipient = x''", taken: "recipient = zeroblob(1024)"),
        Check(table: "mail_queue", refused: "message = NULL", taken: "message = x'00'"),
        Check(table: "mail_queue", refused: "attempts = -1", taken: "attempts = 9"),
        Check(table: "mail_queue", refused: "failure = 'other'", taken: "failure = 'temporary'"),
        Check(table: "mail_queue", refused: "reply = 99", taken: "reply = 550"),
        Check(
            table: "mail_queue",
            refused: "state = 'bounced', message = NULL, ended_at = 5, lease = 'l'",
            taken: "lease = 'l'"
        ),
        Check(table: "mail_queue", refused: "ended_at = 5", taken: "ended_at = NULL"),
        Check(table: "sessions", refused: "binding = 'none '", taken: "binding = 'device-key'"),
        Check(table: "sessions", refused: "revoked_because = 'no'", taken: "revoked_because = 'passkey_removed'"),
        Check(table: "sessions", refused: "proof_key = x'00'", taken: "proof_key = zeroblob(32)"),
        Check(table: "sessions", refused: "origin_address = hex(zeroblob(51))", taken: "origin_address = '192.0.2.7'"),
        Check(table: "sessions", refused: "origin_agent = hex(zeroblob(51))", taken: "origin_agent = ''"),
        Check(table: "sessions", refused: "passkey = 'x'", taken: "passkey = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11'"),
        Check(table: "client_endings", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "session_expiries", refused: "id = 2", taken: "noted_until = 5"),
        Check(table: "lockouts", refused: "tries = 0", taken: "tries = 2"),
        Check(table: "lockouts", refused: "subject = x'00'", taken: "subject = randomblob(32)"),
        Check(table: "web_sessions", refused: "cookie = x'00'", taken: "cookie = zeroblob(32)"),
        Check(table: "used_marks", refused: "digest = zeroblob(31)", taken: "digest = zeroblob(32)"),
        Check(table: "web_sessions", refused: "is_alone = 2", taken: "is_alone = 0"),
        Check(table: "audit", refused: "prev_hash = x''", taken: "prev_hash = zeroblob(32)"),
        Check(table: "audit", refused: "hash = x'00'", taken: "hash = zeroblob(32)"),
    ]

    @Test(arguments: checks)
    func `each CHECK refuses what it is there for and takes the rest`(_ check: Check) async throws {
        try await fill()
        let code = await resultCode("UPDATE \(check.table) SET \(check.refused)")
        #expect(code == .SQLITE_CONSTRAINT_CHECK)
        #expect(await resultCode("UPDATE \(check.table) SET \(check.taken)") == nil)
    }

    @Test func `the tables of checks know every CHECK of the schema`() throws {
        let tables = try file.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        let count = tables.reduce(0) { $0 + ($1["sql"] as String).ranges(of: "CHECK (").count }
        #expect(count == Self.checks.count)
    }

    @Test(arguments: [
        "state = 'closed'", "state = 'failed'", "state = 'failed', failure = 'expired'",
        "state = 'created', failure = 'expired'",
    ])
    func `an operation has an end and a failure exactly where its state says so`(_ change: String) async throws {
        try await fill()
        #expect(await resultCode("UPDATE operations SET \(change)") == .SQLITE_CONSTRAINT_CHECK)
    }

    @Test func `every reason for which a session ends can be stored`() async throws {
        try await fill()
        for reason in RevocationReason.allCases {
            let change = "revoked_because = '\(reason.rawValue)', revoked_at = 5"
            #expect(await resultCode("UPDATE sessions SET \(change)") == nil, "\(reason)")
        }
    }

    @Test func `every failure code can be stored`() async throws {
        try await fill()
        for code in FailureCode.allCases {
            let change = "state = 'failed', failure = '\(code.rawValue)', ended_at = 5"
            #expect(await resultCode("UPDATE operations SET \(change)") == nil, "\(code)")
        }
    }

    /// Every reference of the schema, as a change that lets it name nothing.
    static let references = [
        "account_attributes": ["account = 'x'"],
        "identifiers": ["account = 'x'"],
        "address_claims": ["account = 'x'"],
        "enrolments": ["account = 'x'"],
        "device_links": ["account = 'x'"],
        "devices": ["account = 'x'"],
        "device_keys": ["device = 'x'"],
        "device_counts": ["device = 'x'"],
        "device_challenges": ["device = 'x'"],
        "push_tokens": ["device = 'x'"],
        "sessions": ["account = 'x'"],
        "session_origins": ["session = 'x'"],
        "refresh_tokens": ["session = 'x'"],
        "web_sessions": ["session = 'x'"],
        "scans": ["operation = 'x'"],
        "passkeys": ["account = 'x'"],
        "passkey_challenges": ["account = 'x'"],
        "oauth_client_secrets": ["client = 'x'"],
        "oauth_interactions": ["account = 'x', methods = '', authenticated_at = 0", "passkey = 'x'"],
        "oauth_codes": ["account = 'x'", "passkey = 'x'"],
        "oauth_consents": ["account = 'x'"],
        "oauth_grants": ["session = 'x'"],
        "device_authorizations": [
            "state = 'approved', account = 'x', methods = '', authenticated_at = 0", "passkey = 'x'",
        ],
        "wallet_banks": ["account = 'x'"],
        "wallet_cards": ["bank = 'x'"],
        "bank_enrolments": ["account = 'x'"],
        "payments": ["account = 'x'"],
    ]

    @Test(arguments: references.keys.sorted())
    func `a row that refers to nothing is refused`(_ table: String) async throws {
        try await fill()
        let changes = Self.references[table] ?? []
        for change in changes {
            let code = await resultCode("UPDATE \(table) SET \(change)")
            #expect(code == .SQLITE_CONSTRAINT_FOREIGNKEY, "\(change)")
        }
        let foreign = try file.rows("SELECT DISTINCT id FROM pragma_foreign_key_list('\(table)')")
        #expect(foreign.count == changes.count)
    }

    @Test func `the table of references knows every reference of the schema`() throws {
        let found = try file.rows(
            """
            SELECT DISTINCT name FROM pragma_table_list AS tables
            WHERE schema = 'main' AND EXISTS (SELECT 1 FROM pragma_foreign_key_list(tables.name))
            """
        )
        #expect(Set(found.map { $0["name"] as String }) == Set(Self.references.keys))
    }

    @Test func `a column that says what was proven says nothing where a row leaves it out`() async throws {
        try await fill()
        for (column, table) in [
            ("methods", "device_links"), ("is_device_proven", "sessions"), ("is_credential_unproven", "devices"),
            ("is_rotation_proven", "refresh_tokens"), ("version", "enrolments"),
        ] {
            let rows = try file.rows("SELECT 1 FROM \(table) WHERE \(column) IN ('', 0)")
            #expect(rows.count == 1, "\(table).\(column)")
        }
        let defaults = "SELECT 1 FROM pragma_table_info('passkeys') WHERE dflt_value IS NOT NULL"
        #expect(try file.rows(defaults).isEmpty, "a key that is left out is refused")
    }

    @Test func `an account takes all that hangs on it along`() async throws {
        try await fill()
        #expect(await resultCode("DELETE FROM accounts") == nil)
        for table in [
            "account_attributes", "identifiers", "enrolments", "device_links", "sessions", "refresh_tokens", "devices",
            "device_keys", "device_counts", "device_challenges", "push_tokens", "wallet_banks", "wallet_cards",
            "bank_enrolments", "address_claims",
        ] {
            #expect(try file.count(table) == 0, "\(table)")
        }
    }

    @Test func `text in the place of a time is refused, not converted`() async throws {
        try await fill()
        #expect(await resultCode("UPDATE accounts SET created_at = 'yesterday'") == .SQLITE_CONSTRAINT_DATATYPE)
    }

    /// Writes one row into each table.
    private func fill() async throws { try await database.pool.write { try $0.execute(sql: Self.rows) } }

    private func resultCode(_ sql: String) async -> ResultCode? {
        do {
            try await database.pool.write { try $0.execute(sql: sql) }
            return nil
        } catch { return (error as? DatabaseError)?.extendedResultCode }
    }

    private func pragma(_ name: String) async throws -> String? {
        try await database.pool.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(name)") }
    }
}
