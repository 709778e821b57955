import GRDB
import Kernel
import Operations
import Sessions
import Testing

@testable import Storage

/// What the database itself holds to, whatever a program writes.
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

    private static let checks = [
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
        Check(
            table: "mail_queue",
            refused: "state = 'sent'",
            taken: "state = 'bounced', message = NULL, ended_at = 5"
        ),
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
        Check(table: "sessions", refused: "passkey = 'x'", taken: "passkey = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11'"),
        Check(table: "client_endings", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "lockouts", refused: "tries = 0", taken: "tries = 2"),
        Check(table: "lockouts", refused: "subject = x'00'", taken: "subject = randomblob(32)"),
        Check(table: "web_sessions", refused: "cookie = x'00'", taken: "cookie = zeroblob(32)"),
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

    @Test(arguments: [
        "INSERT INTO identifiers VALUES ('email', 'b@example.com', 'nobody', 1)",
        "INSERT INTO enrolments VALUES ('nobody', 'mock', 'r2', 'active', NULL, NULL, 0)",
        "INSERT INTO account_attributes VALUES ('nobody', 'role', 'user')",
        "INSERT INTO address_claims VALUES ('nobody', 'a@example.com', 0)",
        "INSERT INTO device_links VALUES (zeroblob(32), 'nobody', 'app', 'd', 0, 0, 0, NULL, '')",
        "INSERT INTO devices VALUES ('d2', 'nobody', 'app', 'n', NULL, 0, 0, NULL, '', NULL, NULL, NULL, NULL, 0)",
        "INSERT INTO device_keys VALUES ('nobody', '\(String(repeating: "k", count: 87))', 0, NULL, 0, 0, 0, NULL, NULL)",
        "INSERT INTO device_challenges VALUES ('nobody', zeroblob(32), 0, NULL)",
        "INSERT INTO push_tokens VALUES ('nobody', '\(String(repeating: "s", count: 39))', 0, NULL)",
        "INSERT INTO wallet_banks VALUES ('nobody', 'eb', 'Example Bank', NULL, 's', NULL, NULL, 0, NULL, 1)",
        "INSERT INTO wallet_cards VALUES ('c2', 'a', 'other', 'r', '4242', 'VISA', 1, 0, NULL, NULL)",
        "INSERT INTO bank_enrolments VALUES (2, randomblob(32), 'nobody', 's', 'eb', NULL, 'https://example.com', 1, "
            + "NULL, 0, 0, 'pending', NULL, NULL, 'v', 0)",
        "INSERT INTO sessions VALUES ('s2', 'nobody', 'app', NULL, 'face', 0, 0, NULL, 'none', NULL, NULL, NULL, 0, NULL)",
        "INSERT INTO refresh_tokens VALUES "
            + "(randomblob(32), 'nobody', zeroblob(32), NULL, NULL, 'a', 'app', NULL, 0, 0, 0, NULL, 0)",
        "INSERT INTO device_counts VALUES ('nobody', 1)",
        "INSERT INTO oauth_client_secrets VALUES ('nobody', zeroblob(32), NULL)",
    ])
    func `a row that refers to nobody is refused`(_ sql: String) async throws {
        try await fill()
        #expect(await resultCode(sql) == .SQLITE_CONSTRAINT_FOREIGNKEY)
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

    /// One row in each table.
    private func fill() async throws {
        try await database.pool.write { writer in
            try writer.execute(
                sql: """
                    INSERT INTO accounts VALUES ('a', 'Ada', 'active', NULL, 0, NULL);
                    INSERT INTO account_attributes VALUES ('a', 'role', 'admin');
                    INSERT INTO identifiers VALUES ('email', 'a@example.com', 'a', 1);
                    INSERT INTO enrolments VALUES ('a', 'mock', 'r1', 'active', NULL, NULL, 0);
                    INSERT INTO device_links VALUES (randomblob(32), 'a', 'app', 'd', 0, 0, 0, NULL, '');
                    INSERT INTO sessions VALUES
                        ('s', 'a', 'app', NULL, 'face', 0, 0, NULL, 'none', NULL, NULL, NULL, 0, NULL);
                    INSERT INTO refresh_tokens VALUES
                        (randomblob(32), 's', zeroblob(32), NULL, NULL, 'a', 'app', NULL, 0, 0, 0, NULL, 0);
                    INSERT INTO email_codes VALUES
                        ('c', 'a', zeroblob(32), 'app', 'phone', NULL, zeroblob(32), zeroblob(32), 0, 0, 0, NULL);
                    INSERT INTO devices VALUES ('d', 'a', 'app', 'tablet', randomblob(32), 0, 0, NULL, 'T', 'ios', 0, NULL,
                        NULL, 0);
                    INSERT INTO device_keys VALUES
                        ('d', '\(String(repeating: "k", count: 87))', 0, 'face', 0, 0, 0, NULL, NULL);
                    INSERT INTO device_counts VALUES ('d', 7);
                    INSERT INTO device_challenges VALUES ('d', randomblob(32), 0, NULL);
                    INSERT INTO push_tokens VALUES ('d', '\(String(repeating: "s", count: 39))', 0, NULL);
                    INSERT INTO wallet_banks VALUES ('a', 'eb', 'Example Bank', NULL, 's', NULL, NULL, 0, NULL, 1);
                    INSERT INTO wallet_cards VALUES ('c', 'a', 'eb', 'r', '1111', 'VISA', 0, 0, NULL, NULL);
                    INSERT INTO bank_enrolments VALUES (1, randomblob(32), 'a', 's', 'eb', NULL, 'https://example.com',
                        1, NULL, 0, 0, 'pending', NULL, NULL, 'v', 0);
                    INSERT INTO mail_queue VALUES
                        ('m', 'notice', 'queued', 'k', x'01', x'02', 0, 0, 0, 0, NULL, NULL, NULL, NULL);
                    INSERT INTO lockouts VALUES (randomblob(32), 1, 0);
                    INSERT INTO passkeys VALUES
                        ('p', randomblob(32), 'a', zeroblob(32), 'example.com', 0, 1, 1, 1, '',
                            zeroblob(16), 'none', 'none', 0, NULL, NULL, 1, '', 0, NULL, 0, NULL, zeroblob(77));
                    INSERT INTO passkey_challenges VALUES
                        (1, randomblob(32), randomblob(32), randomblob(32), 'example.com', 'required', 'registration',
                            NULL, 'ada', zeroblob(32), '-7', 'preferred', 'none', 0, 0);
                    INSERT INTO web_sessions VALUES (randomblob(32), 's', 1, 0, 0, 0);
                    INSERT INTO session_origins VALUES ('s', '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11', 0);
                    INSERT INTO oauth_requests VALUES (1, randomblob(32), 'app', 'YQ.Yg', 0, 0);
                    INSERT INTO oauth_interactions VALUES
                        (1, randomblob(32), randomblob(32), 'app', 'https://app.example.com/', 1, 'query', NULL, '', '',
                            NULL, NULL, '', NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL,
                            NULL, NULL, NULL, '');
                    INSERT INTO oauth_codes VALUES
                        (randomblob(32), 'a', 'app', '', '', '', 0, NULL, 'https://app.example.com/', 1, NULL, NULL, 0, 0,
                            NULL, NULL, NULL, NULL, '');
                    INSERT INTO device_authorizations VALUES (1, randomblob(32), randomblob(32), 'tv', '', '', randomblob(32),
                        '', '', 'pending', NULL, NULL, NULL, 0, 0, NULL, NULL);
                    INSERT INTO oauth_consents VALUES ('a', 'app', '', '', '', 0, 0);
                    INSERT INTO oauth_grants VALUES ('s', 'app', 'openid', '', 'n', 'r', '');
                    INSERT INTO backchannel_requests VALUES (randomblob(32), 'o', 'bank', 'ping', 'openid', '', 5000,
                        'https://example.com', 'k', x'00', 0, 0, 0, 0, 0, 'l');
                    INSERT INTO address_claims VALUES ('a', 'ada@example.com', 0);
                    INSERT INTO oauth_clients VALUES ('c', 'Client', 'added', 1, 'none', NULL, 'refresh_token', '', '',
                        '', '', 0, 0, NULL, NULL, 0, 0, 'face-or-passkey', NULL, '');
                    INSERT INTO oauth_client_secrets VALUES ('c', randomblob(32), NULL);
                    INSERT INTO oauth_registration_tickets VALUES (randomblob(32), 1, 0, 0);
                    INSERT INTO client_endings VALUES ('app', 0);
                    INSERT INTO audit VALUES ('local', 1, 0, 'f', 's', NULL, NULL, randomblob(32), randomblob(32));
                    """ + Self.operation + Self.payment + Self.keyMark
                        + "INSERT INTO scans VALUES (randomblob(32), 'o', NULL);"
            )
        }
    }

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
