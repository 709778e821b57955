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

    private static func tooLong(_ column: String) -> String {
        "\(column) = '\(String(repeating: "x", count: 101))'"
    }

    private static func approved(_ change: String) -> String {
        "kind = 'approve', started_by = 's', approval_message = 'Pay', \(change)"
    }

    private static let checks = tableChecks + paymentChecks + keyMarkChecks

    private static let tableChecks = [
        Check(table: "accounts", refused: "state = 'gone'", taken: "state = 'disabled'"),
        Check(table: "identifiers", refused: "kind = 'phone'", taken: "kind = 'username'"),
        Check(table: "identifiers", refused: "is_verified = 2", taken: "is_verified = 0"),
        Check(table: "enrolments", refused: "state = 'pending'", taken: "state = 'revoked'"),
        Check(table: "device_links", refused: "cookie = x'00'", taken: "cookie = zeroblob(32)"),
        Check(table: "refresh_tokens", refused: "jti_hash = zeroblob(33)", taken: "jti_hash = zeroblob(32)"),
        Check(table: "refresh_tokens", refused: "family = x''", taken: "family = zeroblob(32)"),
        Check(table: "refresh_tokens", refused: "parent = zeroblob(31)", taken: "parent = NULL"),
        Check(table: "refresh_tokens", refused: "child = zeroblob(33)", taken: "child = zeroblob(32)"),
        Check(table: "refresh_tokens", refused: "is_rotation_proven = 2", taken: "is_rotation_proven = 1"),
        Check(table: "operations", refused: "public_id = zeroblob(31)", taken: "public_id = zeroblob(32)"),
        Check(table: "operations", refused: "ticket = zeroblob(0)", taken: "ticket = zeroblob(32)"),
        Check(table: "operations", refused: "kind = 'payment'", taken: "kind = 'login'"),
        Check(table: "operations", refused: "binding_cookie = zeroblob(64)", taken: "binding_cookie = zeroblob(32)"),
        Check(table: "operations", refused: "is_bound = -1", taken: "is_bound = 1"),
        Check(table: "operations", refused: "device_proof = 'name'", taken: "device_proof = 'key'"),
        Check(table: "operations", refused: "language = 'x'", taken: "language = 'sv'"),
        Check(table: "operations", refused: "state = 'denied'", taken: "state = 'pending'"),
        Check(table: "operations", refused: "scan_progress = 'done'", taken: "scan_progress = 'processing'"),
        Check(table: "operations", refused: "ended_at = 5", taken: "state = 'closed', ended_at = 5"),
        Check(
            table: "operations",
            refused: "state = 'failed', failure = 'x', ended_at = 5",
            taken: "state = 'failed', failure = 'expired', ended_at = 5"
        ),
        Check(table: "operations", refused: "failure = 'expired'", taken: "failure = NULL"),
        Check(table: "operations", refused: "mode = 'other'", taken: "mode = 'cross-device'"),
        Check(table: "operations", refused: "pairing_number = 100", taken: "pairing_number = 0"),
        Check(table: "operations", refused: "wrong_numbers = 4", taken: "wrong_numbers = 3"),
        Check(table: "operations", refused: tooLong("origin_email"), taken: "origin_email = 'r•••@example.com'"),
        Check(table: "operations", refused: tooLong("origin_address"), taken: "origin_address = '192.0.2.7'"),
        Check(table: "operations", refused: tooLong("origin_agent"), taken: "origin_agent = ''"),
        Check(
            table: "operations",
            refused: "return_url = '\(String(repeating: "x", count: 2049))'",
            taken: "return_url = 'https://app.example.com'"
        ),
        Check(table: "operations", refused: "return_code = x'00'", taken: "return_code = zeroblob(32)"),
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
        Check(table: "operations", refused: "started_by = 's'", taken: "kind = 'enroll', started_by = 's'"),
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
        Check(table: "scans", refused: "scan = x'00'", taken: "scan = zeroblob(32)"),
        Check(table: "sessions", refused: "binding = 'none '", taken: "binding = 'device-key'"),
        Check(table: "sessions", refused: "revoked_because = 'no'", taken: "revoked_because = 'passkey_removed'"),
        Check(table: "sessions", refused: "proof_key = x'00'", taken: "proof_key = zeroblob(32)"),
        Check(table: "sessions", refused: "passkey = 'x'", taken: "passkey = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11'"),
        Check(table: "lockouts", refused: "tries = 0", taken: "tries = 2"),
        Check(table: "lockouts", refused: "subject = x'00'", taken: "subject = randomblob(32)"),
        Check(
            table: "operations",
            refused: "approval_message = 'Pay'",
            taken: "kind = 'approve', started_by = 's', approval_message = 'Pay'"
        ),
        Check(
            table: "operations",
            refused: "approval_amount = '1.00', approval_currency = 'EUR'",
            taken: approved("approval_amount = '1.00', approval_currency = 'EUR'")
        ),
        Check(
            table: "operations",
            refused: approved("approval_currency = 'EUR'"),
            taken: approved("approval_amount = '1.00', approval_currency = 'EUR'")
        ),
        Check(table: "operations", refused: "approval_payee = 'Shop'", taken: approved("approval_payee = 'Shop'")),
        Check(
            table: "operations",
            refused: approved("approval_payload = x'00'"),
            taken: approved("approval_payload = zeroblob(32)")
        ),
        Check(table: "oauth_clients", refused: "id = ''", taken: "id = 'c'"),
        Check(table: "oauth_clients", refused: "name = ''", taken: "name = 'Web'"),
        Check(table: "oauth_clients", refused: "origin = 'config'", taken: "origin = 'registered'"),
        Check(table: "oauth_clients", refused: "is_enabled = 2", taken: "is_enabled = 0"),
        Check(table: "oauth_clients", refused: "authentication = 'mtls'", taken: "authentication = 'secret'"),
        Check(
            table: "oauth_clients",
            refused: "authentication = 'private_key_jwt'",
            taken: "authentication = 'private_key_jwt', keys = '{}'"
        ),
        Check(
            table: "oauth_clients",
            refused: "authentication = 'private_key_jwt', keys = ''",
            taken: "authentication = 'none', keys = NULL"
        ),
        Check(table: "oauth_clients", refused: "grants = ''", taken: "grants = 'refresh_token'"),
        Check(
            table: "oauth_clients",
            refused: "redirect_uris = hex(zeroblob(6000))",
            taken: "redirect_uris = 'com.example.app:/done'"
        ),
        Check(
            table: "oauth_clients",
            refused: "post_logout_redirect_uris = hex(zeroblob(6000))",
            taken: "post_logout_redirect_uris = ''"
        ),
        Check(table: "oauth_clients", refused: "scopes = hex(zeroblob(513))", taken: "scopes = 'openid'"),
        Check(table: "oauth_clients", refused: "resources = hex(zeroblob(6000))", taken: "resources = ''"),
        Check(table: "oauth_clients", refused: "requires_pushed_requests = 2", taken: "requires_pushed_requests = 1"),
        Check(table: "oauth_clients", refused: "requires_dpop = 2", taken: "requires_dpop = 1"),
        Check(table: "oauth_clients", refused: "delivery = 'pull'", taken: "delivery = 'poll'"),
        Check(
            table: "oauth_clients",
            refused: "delivery = 'ping'",
            taken: "delivery = 'ping', notification_endpoint = 'https://app.example.com/ping'"
        ),
        Check(
            table: "oauth_clients",
            refused: "delivery = 'push', notification_endpoint = ''",
            taken: "delivery = 'push', notification_endpoint = 'https://app.example.com/push'"
        ),
        Check(table: "oauth_clients", refused: "requires_signed_requests = 2", taken: "requires_signed_requests = 1"),
        Check(table: "oauth_client_secrets", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "oauth_registration_tickets", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "oauth_registration_tickets", refused: "uses = -1", taken: "uses = 1000"),
        Check(table: "passkeys", refused: "credential = x''", taken: "credential = zeroblob(1023)"),
        Check(table: "passkeys", refused: "user_handle = zeroblob(65)", taken: "user_handle = x'00'"),
        Check(table: "passkeys", refused: "rp_id = ''", taken: "rp_id = 'login.example.com'"),
        Check(table: "passkeys", refused: "public_key = zeroblob(31)", taken: "public_key = zeroblob(2048)"),
        Check(table: "passkeys", refused: "sign_count = -1", taken: "sign_count = 4294967295"),
        Check(table: "passkeys", refused: "is_backup_eligible = 2", taken: "is_backup_eligible = 1"),
        Check(table: "passkeys", refused: "is_backed_up = -1", taken: "is_backed_up = 0"),
        Check(table: "passkeys", refused: "is_backup_eligible = 0", taken: "is_backup_eligible = 0, is_backed_up = 0"),
        Check(table: "passkeys", refused: "is_user_verified = 2", taken: "is_user_verified = 0"),
        Check(table: "passkeys", refused: "aaguid = zeroblob(15)", taken: "aaguid = randomblob(16)"),
        Check(table: "passkeys", refused: "attestation_format = ''", taken: "attestation_format = 'fido-u2f'"),
        Check(table: "passkeys", refused: "attestation_type = 'ecdaa'", taken: "attestation_type = 'anonca'"),
        Check(table: "passkeys", refused: "is_attestation_trusted = 2", taken: "is_attestation_trusted = 1"),
        Check(table: "passkeys", refused: "attestation_doubt = ''", taken: "attestation_doubt = 'metadata_overdue'"),
        Check(table: "passkeys", refused: "serial_number = zeroblob(65)", taken: "serial_number = zeroblob(64)"),
        Check(table: "passkeys", refused: "is_discoverable = 2", taken: "is_discoverable = NULL"),
        Check(table: "passkeys", refused: tooLong("label"), taken: "label = 'phone'"),
        Check(
            table: "passkeys",
            refused: "transports = '\(String(repeating: "x", count: 601))'",
            taken: "transports = 'nfc usb'"
        ),
        Check(table: "passkey_challenges", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "passkey_challenges", refused: "binding = zeroblob(31)", taken: "binding = randomblob(32)"),
        Check(table: "passkey_challenges", refused: "source = x''", taken: "source = randomblob(32)"),
        Check(table: "passkey_challenges", refused: "rp_id = ''", taken: "rp_id = 'login.example.com'"),
        Check(
            table: "passkey_challenges",
            refused: "user_verification = 'no'",
            taken: "user_verification = 'discouraged'"
        ),
        Check(table: "passkey_challenges", refused: "purpose = 'other'", taken: "purpose = 'registration'"),
        Check(table: "passkey_challenges", refused: "name = ''", taken: "name = 'eve'"),
        Check(table: "passkey_challenges", refused: "name = NULL", taken: "name = 'mallory'"),
        Check(table: "passkey_challenges", refused: "user_handle = x''", taken: "user_handle = zeroblob(64)"),
        Check(table: "passkey_challenges", refused: "algorithms = ''", taken: "algorithms = '-7 -257'"),
        Check(table: "passkey_challenges", refused: "resident_key = 'yes'", taken: "resident_key = 'required'"),
        Check(table: "passkey_challenges", refused: "attestation = 'some'", taken: "attestation = 'enterprise'"),
        Check(
            table: "passkey_challenges",
            refused: "resident_key = NULL",
            taken: """
                purpose = 'authentication', user_handle = NULL, algorithms = NULL, resident_key = NULL, attestation = NULL
                """
        ),
        Check(table: "web_sessions", refused: "cookie = x'00'", taken: "cookie = zeroblob(32)"),
        Check(table: "web_sessions", refused: "is_alone = 2", taken: "is_alone = 0"),
        Check(table: "oauth_requests", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "oauth_requests", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_requests", refused: "parameters = ''", taken: "parameters = 'YQ.Yg'"),
        Check(table: "oauth_interactions", refused: "id = x'00'", taken: "id = randomblob(32)"),
        Check(table: "oauth_interactions", refused: "browser = zeroblob(33)", taken: "browser = randomblob(32)"),
        Check(table: "oauth_interactions", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_interactions", refused: "redirect_uri = ''", taken: "redirect_uri = 'app://x'"),
        Check(table: "oauth_interactions", refused: "names_redirect_uri = 2", taken: "names_redirect_uri = 0"),
        Check(table: "oauth_interactions", refused: "response_mode = 'fragment'", taken: "response_mode = 'form_post'"),
        Check(table: "oauth_interactions", refused: "state = ''", taken: "state = 's'"),
        Check(table: "oauth_interactions", refused: "scopes = hex(zeroblob(513))", taken: "scopes = ''"),
        Check(table: "oauth_interactions", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "oauth_interactions", refused: "code_challenge = x'00'", taken: "code_challenge = zeroblob(32)"),
        Check(table: "oauth_interactions", refused: "nonce = ''", taken: "nonce = 'n'"),
        Check(table: "oauth_interactions", refused: "prompts = hex(zeroblob(33))", taken: "prompts = 'login'"),
        Check(table: "oauth_interactions", refused: "max_age = -1", taken: "max_age = 0"),
        Check(
            table: "oauth_interactions",
            refused: "context_class = 'pwd'",
            taken: "context_class = 'face-and-passkey'"
        ),
        Check(
            table: "oauth_interactions",
            refused: "is_context_class_essential = 2",
            taken: "is_context_class_essential = 1"
        ),
        Check(table: "oauth_interactions", refused: "login_hint = ''", taken: "login_hint = 'ada'"),
        Check(
            table: "oauth_interactions",
            refused: "hinted_account = 'x'",
            taken: "hinted_account = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11'"
        ),
        Check(table: "oauth_interactions", refused: "proof_key = x'00'", taken: "proof_key = zeroblob(32)"),
        Check(
            table: "oauth_interactions",
            refused: "account = 'a'",
            taken: "account = 'a', methods = 'face', authenticated_at = 1"
        ),
        Check(
            table: "oauth_interactions",
            refused: "account = 'a', methods = hex(zeroblob(101)), authenticated_at = 1",
            taken: "methods = NULL"
        ),
        Check(table: "oauth_interactions", refused: "operation = 'x'", taken: "operation = NULL"),
        Check(table: "oauth_interactions", refused: "consented_by = 'x'", taken: "consented_by = NULL"),
        Check(table: "oauth_codes", refused: "digest = x'00'", taken: "digest = randomblob(32)"),
        Check(table: "oauth_codes", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_codes", refused: "scopes = hex(zeroblob(513))", taken: "scopes = ''"),
        Check(table: "oauth_codes", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "oauth_codes", refused: "methods = hex(zeroblob(101))", taken: "methods = ''"),
        Check(table: "oauth_codes", refused: "nonce = ''", taken: "nonce = NULL"),
        Check(table: "oauth_codes", refused: "redirect_uri = ''", taken: "redirect_uri = 'app://x'"),
        Check(table: "oauth_codes", refused: "names_redirect_uri = 2", taken: "names_redirect_uri = 0"),
        Check(table: "oauth_codes", refused: "code_challenge = x'00'", taken: "code_challenge = NULL"),
        Check(table: "oauth_codes", refused: "proof_key = x'00'", taken: "proof_key = NULL"),
        Check(
            table: "oauth_codes",
            refused: "session = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11'",
            taken: "redeemed_at = 1, session = '7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11'"
        ),
        Check(table: "oauth_codes", refused: "redeemed_at = 1, session = 'x'", taken: "redeemed_at = 2"),
        Check(table: "oauth_consents", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_consents", refused: "scopes = hex(zeroblob(4097))", taken: "scopes = ''"),
        Check(table: "oauth_consents", refused: "resources = hex(zeroblob(32769))", taken: "resources = ''"),
        Check(table: "oauth_grants", refused: "client = ''", taken: "client = 'web'"),
        Check(table: "oauth_grants", refused: "scopes = hex(zeroblob(513))", taken: "scopes = ''"),
        Check(table: "oauth_grants", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "oauth_grants", refused: "nonce = ''", taken: "nonce = NULL"),
        Check(table: "oauth_grants", refused: "backchannel_request = ''", taken: "backchannel_request = NULL"),
        Check(table: "backchannel_requests", refused: "id = x'00'", taken: "id = zeroblob(32)"),
        Check(table: "backchannel_requests", refused: "client = ''", taken: "client = 'bank'"),
        Check(table: "backchannel_requests", refused: "delivery = 'pull'", taken: "delivery = 'push'"),
        Check(table: "backchannel_requests", refused: "delivery = 'poll'", taken: "delivery = 'ping'"),
        Check(table: "backchannel_requests", refused: "scopes = ''", taken: "scopes = 'openid'"),
        Check(table: "backchannel_requests", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "backchannel_requests", refused: "interval_ms = 0", taken: "interval_ms = 5000"),
        Check(table: "backchannel_requests", refused: "endpoint = NULL", taken: "endpoint = 'https://example.com'"),
        Check(table: "backchannel_requests", refused: "endpoint = ''", taken: "endpoint = 'https://example.com/cb'"),
        Check(table: "backchannel_requests", refused: "sealing_key = ''", taken: "sealing_key = 'k'"),
        Check(table: "backchannel_requests", refused: "sealed = x''", taken: "sealed = x'00'"),
        Check(table: "backchannel_requests", refused: "notice_attempts = -1", taken: "notice_attempts = 1"),
        Check(table: "backchannel_requests", refused: "notice_expires_at = NULL", taken: "notice_expires_at = 9"),
        Check(table: "backchannel_requests", refused: "notice_due_at = NULL", taken: "notice_due_at = 9"),
        Check(table: "operations", refused: "binding_message = ''", taken: "binding_message = 'W4SCT'"),
        Check(table: "audit", refused: "prev_hash = x''", taken: "prev_hash = zeroblob(32)"),
        Check(table: "audit", refused: "hash = x'00'", taken: "hash = zeroblob(32)"),
        Check(table: "device_authorizations", refused: "device_code = x'00'", taken: "device_code = randomblob(32)"),
        Check(table: "device_authorizations", refused: "user_code = x'00'", taken: "user_code = randomblob(32)"),
        Check(table: "device_authorizations", refused: "client = ''", taken: "client = 'tv'"),
        Check(table: "device_authorizations", refused: "scopes = hex(zeroblob(513))", taken: "scopes = ''"),
        Check(table: "device_authorizations", refused: "resources = hex(zeroblob(8193))", taken: "resources = ''"),
        Check(table: "device_authorizations", refused: "source = x'00'", taken: "source = randomblob(32)"),
        Check(
            table: "device_authorizations",
            refused: "origin_address = hex(zeroblob(33))",
            taken: "origin_address = ''"
        ),
        Check(table: "device_authorizations", refused: "origin_agent = hex(zeroblob(33))", taken: "origin_agent = ''"),
        Check(table: "device_authorizations", refused: "state = 'lost'", taken: "state = 'denied'"),
        Check(table: "device_authorizations", refused: "methods = hex(zeroblob(101))", taken: "methods = NULL"),
        Check(table: "device_authorizations", refused: "state = 'approved'", taken: "state = 'redeemed'"),
    ]

    @Test(arguments: checks + walletChecks)
    func `each CHECK refuses what it is there for and takes the rest`(_ check: Check) async throws {
        try await fill()
        let code = await resultCode("UPDATE \(check.table) SET \(check.refused)")
        #expect(code == .SQLITE_CONSTRAINT_CHECK)
        #expect(await resultCode("UPDATE \(check.table) SET \(check.taken)") == nil)
    }

    @Test func `the table above knows every CHECK of the schema`() throws {
        let tables = try file.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        let count = tables.reduce(0) { $0 + ($1["sql"] as String).ranges(of: "CHECK (").count }
        #expect(count == Self.checks.count + Self.walletChecks.count)
    }

    @Test func `an operation of the first schema is there after the migrations`() throws {
        try database.close()
        let older = try TestDatabase()
        let outsider = try older.outsider()
        try outsider.write { writer in
            _ = try Migrator.migrate(writer, at: TestDatabase.now, upTo: 1)
            try writer.execute(sql: Self.operation)
        }
        try outsider.close()
        try older.open().close()
        let rows = try older.rows("SELECT id, kind, state, seq FROM operations")
        #expect(rows.map { "\($0["id"] as String) \($0["kind"] as String) \($0["seq"] as Int)" } == ["o login 1"])
    }

    @Test func `keys, their counts, and why a session ended are there after the migrations`() throws {
        try database.close()
        let older = try TestDatabase()
        let outsider = try older.outsider()
        try outsider.write { writer in
            _ = try Migrator.migrate(writer, at: TestDatabase.now, upTo: 11)
            try writer.execute(
                sql: """
                    INSERT INTO accounts VALUES ('a', 'Ada', 'active', NULL, 0);
                    INSERT INTO sessions VALUES ('s', 'a', 'app', NULL, 'face', 0, 0, 5, 'none', 'refresh_reuse');
                    INSERT INTO sessions VALUES ('t', 'a', 'app', NULL, 'face', 0, 0, NULL, 'device-key', NULL);
                    INSERT INTO devices VALUES ('d', 'a', 'app', 'tablet', NULL, 77, 99, NULL);
                    INSERT INTO device_keys VALUES ('d', '\(String(repeating: "k", count: 87))', 9);
                    """
            )
        }
        try outsider.close()
        try older.open().close()
        let rows = try older.rows("SELECT device, last_count, created_at, uses, clone_signs FROM device_keys")
        #expect(rows.map { Array($0.databaseValues.dropFirst()).map(\.description) } == [["9", "77", "0", "0"]])
        let sessions = try older.rows("SELECT id, binding, revoked_because FROM sessions ORDER BY id")
        #expect(sessions.map { $0["binding"] as String } == ["none", "device-key"])
        #expect(sessions.map { $0["revoked_because"] as String? } == ["refresh_reuse", nil])
        #expect(try older.rows("SELECT count FROM device_counts").map { $0["count"] as Int } == [9])
    }

    @Test(arguments: [
        (Migration.revokedByOperator.version, ["revoked_by_operator", "passkey_removed"]),
        (Migration.passkeyRemoved.version, ["passkey_removed"]),
    ])
    func `why sessions ended is there after a reason more can be stored`(_ version: Int, _ later: [String]) throws {
        try database.close()
        let older = try TestDatabase()
        let outsider = try older.outsider()
        let reasons = RevocationReason.allCases.map(\.rawValue).filter { !later.contains($0) }.sorted()
        let columns = "id, account, client, methods, authenticated_at, created_at, revoked_at, binding, revoked_because"
        try outsider.write { writer in
            _ = try Migrator.migrate(writer, at: TestDatabase.now, upTo: version - 1)
            try writer.execute(
                sql: "INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'Ada', 'active', 0)"
            )
            for reason in reasons {
                try writer.execute(
                    sql: "INSERT INTO sessions (\(columns)) VALUES (?, 'a', 'app', 'pwd', 0, 0, 5, 'none', ?)",
                    arguments: [reason, reason]
                )
            }
            try writer.execute(
                sql: "INSERT INTO sessions (\(columns)) VALUES ('open', 'a', 'app', 'pwd', 0, 0, NULL, 'none', NULL)"
            )
        }
        try outsider.close()
        #expect(reasons.contains("password_changed") && reasons.contains("address_proved"))
        try older.open().close()
        let rows = try older.rows("SELECT id, revoked_because FROM sessions ORDER BY id")
        #expect(rows.count == reasons.count + 1)
        for row in rows {
            let (id, reason): (String, String?) = (row["id"], row["revoked_because"])
            #expect(reason == (id == "open" ? nil : id))
        }
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
        "INSERT INTO enrolments VALUES ('nobody', 'mock', 'r2', 'active')",
        "INSERT INTO account_attributes VALUES ('nobody', 'role', 'user')",
        "INSERT INTO address_claims VALUES ('nobody', 'a@example.com', 0)",
        "INSERT INTO device_links VALUES (zeroblob(32), 'nobody', 'app', 'd', 0, 0, 0, NULL)",
        "INSERT INTO devices VALUES ('d2', 'nobody', 'app', 'n', NULL, 0, 0, NULL, '', NULL, NULL)",
        "INSERT INTO device_keys VALUES ('nobody', '\(String(repeating: "k", count: 87))', 0, NULL, 0, 0, 0, NULL)",
        "INSERT INTO device_challenges VALUES ('nobody', zeroblob(32), 0, NULL)",
        "INSERT INTO push_tokens VALUES ('nobody', '\(String(repeating: "s", count: 39))', 0)",
        "INSERT INTO wallet_banks VALUES ('nobody', 'eb', 'Example Bank', NULL, 's', NULL, NULL, 0, NULL, 1)",
        "INSERT INTO wallet_cards VALUES ('c2', 'a', 'other', 'r', '4242', 'VISA', 1, 0, NULL, NULL)",
        "INSERT INTO bank_enrolments VALUES (2, randomblob(32), 'nobody', 's', 'eb', NULL, 'https://example.com', 1, "
            + "NULL, 0, 0, 'pending', NULL, NULL, 'v', 0)",
        "INSERT INTO sessions VALUES ('s2', 'nobody', 'app', NULL, 'face', 0, 0, NULL, 'none', NULL, NULL, NULL)",
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

    private static let operation = """
        INSERT INTO operations (id, public_id, ticket, kind, provider, client, policy, binding_cookie,
            is_bound, state, seq, created_at, deadline, node)
        VALUES ('o', randomblob(32), randomblob(32), 'login', 'mock', 'app', '{}', randomblob(32),
            0, 'created', 1, 0, 0, 'local');
        """

    /// One row in each table.
    private func fill() async throws {
        try await database.pool.write { writer in
            try writer.execute(
                sql: """
                    INSERT INTO accounts VALUES ('a', 'Ada', 'active', NULL, 0);
                    INSERT INTO account_attributes VALUES ('a', 'role', 'admin');
                    INSERT INTO identifiers VALUES ('email', 'a@example.com', 'a', 1);
                    INSERT INTO enrolments VALUES ('a', 'mock', 'r1', 'active');
                    INSERT INTO device_links VALUES (randomblob(32), 'a', 'app', 'd', 0, 0, 0, NULL);
                    INSERT INTO sessions VALUES ('s', 'a', 'app', NULL, 'face', 0, 0, NULL, 'none', NULL, NULL, NULL);
                    INSERT INTO refresh_tokens VALUES
                        (randomblob(32), 's', zeroblob(32), NULL, NULL, 'a', 'app', NULL, 0, 0, 0, NULL, 0);
                    INSERT INTO email_codes VALUES
                        ('c', 'a', zeroblob(32), 'app', 'phone', NULL, zeroblob(32), zeroblob(32), 0, 0, 0, NULL);
                    INSERT INTO devices VALUES ('d', 'a', 'app', 'tablet', randomblob(32), 0, 0, NULL, 'T', 'ios', 0);
                    INSERT INTO device_keys VALUES
                        ('d', '\(String(repeating: "k", count: 87))', 0, 'face', 0, 0, 0, NULL);
                    INSERT INTO device_counts VALUES ('d', 7);
                    INSERT INTO device_challenges VALUES ('d', randomblob(32), 0, NULL);
                    INSERT INTO push_tokens VALUES ('d', '\(String(repeating: "s", count: 39))', 0);
                    INSERT INTO wallet_banks VALUES ('a', 'eb', 'Example Bank', NULL, 's', NULL, NULL, 0, NULL, 1);
                    INSERT INTO wallet_cards VALUES ('c', 'a', 'eb', 'r', '1111', 'VISA', 0, 0, NULL, NULL);
                    INSERT INTO bank_enrolments VALUES (1, randomblob(32), 'a', 's', 'eb', NULL, 'https://example.com',
                        1, NULL, 0, 0, 'pending', NULL, NULL, 'v', 0);
                    INSERT INTO mail_queue VALUES
                        ('m', 'notice', 'queued', 'k', x'01', x'02', 0, 0, 0, 0, NULL, NULL, NULL, NULL);
                    INSERT INTO lockouts VALUES (randomblob(32), 1, 0);
                    INSERT INTO passkeys VALUES
                        ('p', randomblob(32), 'a', zeroblob(32), 'example.com', zeroblob(77), 0, 1, 1, 1, '',
                            zeroblob(16), 'none', 'none', 0, NULL, NULL, 1, '', 0, NULL, 0);
                    INSERT INTO passkey_challenges VALUES
                        (1, randomblob(32), randomblob(32), randomblob(32), 'example.com', 'required', 'registration',
                            NULL, 'ada', zeroblob(32), '-7', 'preferred', 'none', 0, 0);
                    INSERT INTO web_sessions VALUES (randomblob(32), 's', 1, 0, 0, 0);
                    INSERT INTO oauth_requests VALUES (1, randomblob(32), 'app', 'YQ.Yg', 0, 0);
                    INSERT INTO oauth_interactions VALUES
                        (1, randomblob(32), randomblob(32), 'app', 'https://app.example.com/', 1, 'query', NULL, '', '',
                            NULL, NULL, '', NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL,
                            NULL);
                    INSERT INTO oauth_codes VALUES
                        (randomblob(32), 'a', 'app', '', '', '', 0, NULL, 'https://app.example.com/', 1, NULL, NULL, 0, 0,
                            NULL, NULL, NULL);
                    INSERT INTO device_authorizations VALUES (1, randomblob(32), randomblob(32), 'tv', '', '', randomblob(32),
                        '', '', 'pending', NULL, NULL, NULL, 0, 0, NULL);
                    INSERT INTO oauth_consents VALUES ('a', 'app', '', '', 0, 0);
                    INSERT INTO oauth_grants VALUES ('s', 'app', 'openid', '', 'n', 'r');
                    INSERT INTO backchannel_requests VALUES (randomblob(32), 'o', 'bank', 'ping', 'openid', '', 5000,
                        'https://example.com', 'k', x'00', 0, 0, 0, 0, 0, 'l');
                    INSERT INTO address_claims VALUES ('a', 'ada@example.com', 0);
                    INSERT INTO oauth_clients VALUES ('c', 'Client', 'added', 1, 'none', NULL, 'refresh_token', '', '',
                        '', '', 0, 0, NULL, NULL, 0, 0);
                    INSERT INTO oauth_client_secrets VALUES ('c', randomblob(32), NULL);
                    INSERT INTO oauth_registration_tickets VALUES (randomblob(32), 1, 0, 0);
                    INSERT INTO audit VALUES ('local', 1, 0, 'f', 's', NULL, NULL, randomblob(32), randomblob(32));
                    """ + Self.operation + Self.payment + Self.keyMark
                        + "INSERT INTO scans VALUES (randomblob(32), 'o');"
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
