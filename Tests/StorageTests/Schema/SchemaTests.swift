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

    /// Every reference of the schema, as a change that lets it name nothing.
    private static let references = [
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

    /// One row in each table.
    private func fill() async throws {
        try await database.pool.write { writer in
            try writer.execute(
                sql: """
                    INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'Ada', 'active', 0);
                    INSERT INTO account_attributes (account, name, value) VALUES ('a', 'role', 'admin');
                    INSERT INTO identifiers (kind, value, account, is_verified)
                        VALUES ('email', 'a@example.com', 'a', 1);
                    INSERT INTO enrolments (account, provider, reference, state) VALUES ('a', 'mock', 'r1', 'active');
                    INSERT INTO device_links (cookie, account, client, device, created_at, last_seen_at, expires_at)
                        VALUES (randomblob(32), 'a', 'app', 'd', 0, 0, 0);
                    INSERT INTO sessions (id, account, client, methods, authenticated_at, created_at)
                        VALUES ('s', 'a', 'app', 'face', 0, 0);
                    INSERT INTO refresh_tokens (jti_hash, session, family, account, client, issued_at, expires_at,
                        authenticated_at)
                        VALUES (randomblob(32), 's', zeroblob(32), 'a', 'app', 0, 0, 0);
                    INSERT INTO email_codes (id, account, address, client, device, digits, link, created_at,
                        expires_at, wrong_tries)
                        VALUES ('c', 'a', zeroblob(32), 'app', 'phone', zeroblob(32), zeroblob(32), 0, 0, 0);
                    INSERT INTO devices (id, account, client, name, credential, created_at, expires_at, label,
                        platform, last_used_at)
                        VALUES ('d', 'a', 'app', 'tablet', randomblob(32), 0, 0, 'T', 'ios', 0);
                    INSERT INTO device_keys (device, public_key, last_count, biometric, created_at, uses, clone_signs)
                        VALUES ('d', '\(String(repeating: "k", count: 87))', 0, 'face', 0, 0, 0);
                    INSERT INTO device_counts (device, count) VALUES ('d', 7);
                    INSERT INTO device_challenges (device, challenge, expires_at) VALUES ('d', randomblob(32), 0);
                    INSERT INTO push_tokens (device, sealed, updated_at)
                        VALUES ('d', '\(String(repeating: "s", count: 39))', 0);
                    INSERT INTO wallet_banks (account, bank, name, access_token, enrolled_at, version)
                        VALUES ('a', 'eb', 'Example Bank', 's', 0, 1);
                    INSERT INTO wallet_cards (id, account, bank, reference, last_four, card_type, is_default,
                        added_at)
                        VALUES ('c', 'a', 'eb', 'r', '1111', 'VISA', 0, 0);
                    INSERT INTO bank_enrolments (number, state, account, session, bank, redirect_uri, is_mobile,
                        needs_confirmation, created_at, stage, verifier, expires_at)
                        VALUES (1, randomblob(32), 'a', 's', 'eb', 'https://example.com', 1, 0, 0, 'pending', 'v', 0);
                    INSERT INTO mail_queue (id, kind, state, sealing_key, recipient, message, created_at, expires_at,
                        due_at, attempts)
                        VALUES ('m', 'notice', 'queued', 'k', x'01', x'02', 0, 0, 0, 0);
                    INSERT INTO lockouts (subject, tries, last_tried_at) VALUES (randomblob(32), 1, 0);
                    INSERT INTO passkeys (id, credential, account, user_handle, rp_id, sign_count, is_backup_eligible,
                        is_backed_up, is_user_verified, transports, aaguid, attestation_format, attestation_type,
                        is_attestation_trusted, is_discoverable, label, created_at, clone_signs, public_key)
                        VALUES ('p', randomblob(32), 'a', zeroblob(32), 'example.com', 0, 1, 1, 1, '', zeroblob(16),
                            'none', 'none', 0, 1, '', 0, 0, zeroblob(77));
                    INSERT INTO passkey_challenges (number, digest, binding, source, rp_id, user_verification,
                        purpose, name, user_handle, algorithms, resident_key, attestation, created_at, expires_at)
                        VALUES (1, randomblob(32), randomblob(32), randomblob(32), 'example.com', 'required',
                            'registration', 'ada', zeroblob(32), '-7', 'preferred', 'none', 0, 0);
                    INSERT INTO web_sessions (cookie, session, is_alone, created_at, seen_at, expires_at)
                        VALUES (randomblob(32), 's', 1, 0, 0, 0);
                    INSERT INTO session_origins (session, origin, by_means)
                        VALUES ('s', '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11', 0);
                    INSERT INTO oauth_requests (number, digest, client, parameters, created_at, expires_at)
                        VALUES (1, randomblob(32), 'app', 'YQ.Yg', 0, 0);
                    INSERT INTO oauth_interactions (number, id, browser, client, redirect_uri, names_redirect_uri,
                        response_mode, scopes, resources, prompts, is_context_class_essential, created_at, expires_at)
                        VALUES (1, randomblob(32), randomblob(32), 'app', 'https://app.example.com/', 1, 'query', '',
                            '', '', 0, 0, 0);
                    INSERT INTO oauth_codes (digest, account, client, scopes, resources, methods, authenticated_at,
                        redirect_uri, names_redirect_uri, issued_at, expires_at)
                        VALUES (randomblob(32), 'a', 'app', '', '', '', 0, 'https://app.example.com/', 1, 0, 0);
                    INSERT INTO device_authorizations (number, device_code, user_code, client, scopes, resources,
                        source, origin_address, origin_agent, state, created_at, expires_at)
                        VALUES (1, randomblob(32), randomblob(32), 'tv', '', '', randomblob(32), '', '', 'pending', 0,
                            0);
                    INSERT INTO oauth_consents (account, client, origin, scopes, resources, granted_at, expires_at)
                        VALUES ('a', 'app', '', '', '', 0, 0);
                    INSERT INTO oauth_grants (session, client, scopes, resources, nonce, backchannel_request)
                        VALUES ('s', 'app', 'openid', '', 'n', 'r');
                    INSERT INTO backchannel_requests (id, operation, client, delivery, scopes, resources, interval_ms,
                        endpoint, sealing_key, sealed, created_at, kept_until, notice_due_at, notice_expires_at,
                        notice_lease)
                        VALUES (randomblob(32), 'o', 'bank', 'ping', 'openid', '', 5000, 'https://example.com', 'k',
                            x'00', 0, 0, 0, 0, 'l');
                    INSERT INTO address_claims (account, value, claimed_at) VALUES ('a', 'ada@example.com', 0);
                    INSERT INTO oauth_clients (id, name, origin, is_enabled, authentication, grants, redirect_uris,
                        post_logout_redirect_uris, scopes, resources, requires_pushed_requests, requires_dpop,
                        requires_signed_requests, created_at)
                        VALUES ('c', 'Client', 'added', 1, 'none', 'refresh_token', '', '', '', '', 0, 0, 0, 0);
                    INSERT INTO oauth_client_secrets (client, digest) VALUES ('c', randomblob(32));
                    INSERT INTO oauth_registration_tickets (digest, uses, created_at, expires_at)
                        VALUES (randomblob(32), 1, 0, 0);
                    INSERT INTO client_endings (client, opened_by) VALUES ('app', 0);
                    INSERT INTO audit (node, number, at, fact, subject, prev_hash, hash)
                        VALUES ('local', 1, 0, 'f', 's', randomblob(32), randomblob(32));
                    """ + Self.operation + Self.payment + Self.keyMark
                        + "INSERT INTO scans (scan, operation) VALUES (randomblob(32), 'o');"
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
