import GRDB
import Kernel
import Sessions
import Testing

@testable import Storage

/// What rows of older schemas come to.
struct SchemaUpgradeTests {
    @Test func `an operation of the first schema is there after the migrations`() throws {
        let older = try TestDatabase()
        let outsider = try older.outsider()
        try outsider.write { writer in
            _ = try Migrator.migrate(writer, at: TestDatabase.now, upTo: 1)
            try writer.execute(sql: SchemaTests.operation)
        }
        try outsider.close()
        try older.open().close()
        let rows = try older.rows("SELECT id, kind, state, seq FROM operations")
        #expect(rows.map { "\($0["id"] as String) \($0["kind"] as String) \($0["seq"] as Int)" } == ["o login 1"])
    }

    @Test func `keys, their counts, and why a session ended are there after the migrations`() throws {
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

    @Test func `what links, sessions and credentials of before proved is not known, and counts for nothing`() throws {
        let older = try TestDatabase()
        let outsider = try older.outsider()
        try outsider.write { writer in
            _ = try Migrator.migrate(writer, at: TestDatabase.now, upTo: Migration.deviceLinkMethods.version - 1)
            try writer.execute(
                sql: """
                    INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'Ada', 'active', 0);
                    INSERT INTO device_links VALUES (zeroblob(32), 'a', 'app', 'd', 0, 0, 9, NULL);
                    INSERT INTO sessions (id, account, client, device, methods, authenticated_at, created_at, binding)
                        VALUES ('s', 'a', 'app', 'd', 'pwd', 0, 0, 'none');
                    """
            )
            let (first, other) = (String(repeating: "1", count: 36), String(repeating: "2", count: 36))
            for (name, origin) in [("own", first), ("given", other), ("anybody's", nil)] {
                try writer.execute(
                    sql: """
                        INSERT INTO devices (id, account, client, name, created_at, expires_at, origin, credential_origin)
                            VALUES (?, 'a', 'app', ?, 0, 9, ?, ?)
                        """,
                    arguments: [name, name, first, origin]
                )
            }
            // Of before anything was kept of where devices and credentials came from.
            try writer.execute(
                sql: """
                    INSERT INTO devices (id, account, client, name, created_at, expires_at, credential)
                        VALUES ('older', 'a', 'app', 'older', 0, 9, zeroblob(32))
                    """
            )
        }
        try outsider.close()
        try older.open().close()
        #expect(try older.rows("SELECT methods FROM device_links").map { $0["methods"] as String } == [""])
        #expect(try older.rows("SELECT is_device_proven FROM sessions").map { $0["is_device_proven"] as Int } == [0])
        let devices = try older.rows("SELECT name FROM devices WHERE is_credential_unproven = 1 ORDER BY name")
        #expect(devices.map { $0["name"] as String } == ["given", "older"])
    }

    @Test func `a passkey's key is there after longer keys can be stored`() throws {
        let older = try TestDatabase()
        let outsider = try older.outsider()
        try outsider.write { writer in
            _ = try Migrator.migrate(writer, at: TestDatabase.now, upTo: Migration.longPasskeyKeys.version - 1)
            try writer.execute(
                sql: """
                    INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'Ada', 'active', 0);
                    INSERT INTO passkeys (id, credential, account, user_handle, rp_id, public_key, sign_count,
                        is_backup_eligible, is_backed_up, is_user_verified, transports, aaguid, attestation_format,
                        attestation_type, is_attestation_trusted, label, created_at, clone_signs)
                    VALUES ('p', x'01', 'a', x'02', 'example.com', x'\(String(repeating: "ab", count: 77))', 5, 1, 1, 1,
                        'usb', zeroblob(16), 'none', 'none', 0, 'phone', 0, 0);
                    """
            )
        }
        try outsider.close()
        try older.open().close()
        let rows = try older.rows("SELECT hex(public_key) AS key, sign_count, label FROM passkeys")
        #expect(rows.map { $0["key"] as String } == [String(repeating: "AB", count: 77)])
        #expect(rows.map { $0["sign_count"] as Int } == [5] && rows.map { $0["label"] as String } == ["phone"])
    }

    @Test(arguments: [
        (Migration.revokedByOperator.version, ["revoked_by_operator", "passkey_removed"]),
        (Migration.passkeyRemoved.version, ["passkey_removed"]),
    ])
    func `why sessions ended is there after a reason more can be stored`(_ version: Int, _ later: [String]) throws {
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
}
