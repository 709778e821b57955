import GRDB
import Kernel
import SignIn
import Testing

@testable import Storage

/// Rows without a link to a sign-in have no origin, and end by account.
struct RowsWithoutOriginTests {
    private static let account = "00000000-0000-7000-8000-00000000000a"
    private static let session = "00000000-0000-7000-8000-00000000000b"
    private static let device = "00000000-0000-7000-8000-00000000000c"

    private struct MissingIDError: Error {}

    /// Each outcome with the rows that are left of it, beside those that sessions and operations are ended with.
    private static let left: [(outcome: Outcome, sql: String)] = [
        (.webSession, "SELECT 1 FROM web_sessions"),
        (.interaction, "SELECT 1 FROM oauth_interactions"),
        (.code, "SELECT 1 FROM oauth_codes"),
        (.deviceCode, "SELECT 1 FROM device_authorizations WHERE state = 'approved'"),
        (.passkey, "SELECT 1 FROM passkeys"),
        (.deviceKey, "SELECT 1 FROM device_keys"),
        (.deviceCredential, "SELECT 1 FROM devices WHERE credential IS NOT NULL"),
        (.pushToken, "SELECT 1 FROM push_tokens"),
        (.face, "SELECT 1 FROM enrolments WHERE state = 'active'"),
        (.password, "SELECT 1 FROM accounts WHERE password_hash IS NOT NULL"),
    ]

    @Test func `rows without an origin end by account, and descend from no sign-in`() async throws {
        let file = try TestDatabase()
        let database = try file.open()
        defer { try? database.close() }
        try file.tamper(Self.rows)
        let store = SQLDescentStore()
        let unitOfWork = SQLiteUnitOfWork(database)
        guard let account = AccountID(parsing: Self.account), let session = SessionID(parsing: Self.session) else {
            throw MissingIDError()
        }
        for (outcome, sql) in Self.left {
            try #require(try file.rows(sql).count == 1, "\(outcome.rawValue) is there")
            // The cookie of a session goes with the session itself.
            if outcome != .webSession {
                _ = try await unitOfWork.run { try store.end(outcome, .descent(account, [session]), in: $0) }
                #expect(try file.rows(sql).count == 1, "\(outcome.rawValue) descends from no sign-in")
            }
            let kept = outcome == .webSession ? nil : session
            _ = try await unitOfWork.run { try store.end(outcome, .account(account, except: kept), in: $0) }
            #expect(try file.rows(sql).isEmpty, "\(outcome.rawValue) ends by account")
        }
    }

    /// One row of each kind, of one account and one session.
    private static let rows = """
        INSERT INTO accounts (id, display_name, state, password_hash, created_at)
            VALUES ('\(account)', 'Ada', 'active', 'hash', 0);
        INSERT INTO sessions (id, account, client, methods, authenticated_at, created_at, binding)
            VALUES ('\(session)', '\(account)', 'app', 'pwd', 0, 0, 'none');
        INSERT INTO web_sessions (cookie, session, is_alone, created_at, seen_at, expires_at)
            VALUES (randomblob(32), '\(session)', 1, 0, 0, 9);
        INSERT INTO enrolments (account, provider, reference, state) VALUES ('\(account)', 'mock', 'r', 'active');
        INSERT INTO oauth_interactions (number, id, browser, client, redirect_uri, names_redirect_uri, response_mode,
            scopes, resources, prompts, is_context_class_essential, account, methods, authenticated_at, created_at,
            expires_at)
            VALUES (1, randomblob(32), randomblob(32), 'app', 'https://app.example.com/', 1, 'query', '', '', '', 0,
                '\(account)', 'pwd', 0, 0, 9);
        INSERT INTO oauth_codes (digest, account, client, scopes, resources, methods, authenticated_at, redirect_uri,
            names_redirect_uri, issued_at, expires_at)
            VALUES (randomblob(32), '\(account)', 'app', '', '', 'pwd', 0, 'https://app.example.com/', 1, 0, 9);
        INSERT INTO device_authorizations (number, device_code, user_code, client, scopes, resources, source,
            origin_address, origin_agent, state, account, methods, authenticated_at, created_at, expires_at)
            VALUES (1, randomblob(32), randomblob(32), 'tv', '', '', randomblob(32), '', '', 'approved', '\(account)',
                'pwd', 0, 0, 9);
        INSERT INTO passkeys (id, credential, account, user_handle, rp_id, public_key, sign_count, is_backup_eligible,
            is_backed_up, is_user_verified, transports, aaguid, attestation_format, attestation_type,
            is_attestation_trusted, label, created_at, counts_from, clone_signs)
            VALUES ('00000000-0000-7000-8000-00000000000d', x'01', '\(account)', x'02', 'example.com', zeroblob(77), 0, 0, 0, 0, '', zeroblob(16), 'none',
                'none', 0, '', 0, 0, 0);
        INSERT INTO devices (id, account, client, name, credential, created_at, expires_at, label)
            VALUES ('\(device)', '\(account)', 'app', 'phone', randomblob(32), 0, 9, '');
        INSERT INTO device_keys (device, public_key, last_count, created_at, uses, clone_signs)
            VALUES ('\(device)', '\(String(repeating: "k", count: 87))', 0, 0, 0, 0);
        INSERT INTO push_tokens (device, sealed, updated_at)
            VALUES ('\(device)', '\(String(repeating: "s", count: 39))', 0);
        """
}
