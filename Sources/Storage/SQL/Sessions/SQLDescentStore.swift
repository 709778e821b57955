package import Kernel
package import SignIn

/// The links from sign-ins to the credentials and sessions that they created: a column in each row.
package struct SQLDescentStore: DescentStore {
    package init() {}

    package func note(
        _ descendant: Descendant,
        of account: AccountID,
        from session: SessionID,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.connection()
        switch descendant {
        case .session(let child): try writer.link(child, to: session, byMeans: false)
        case .passkey(let id):
            try writer.change("UPDATE passkeys SET origin = ? WHERE id = ?", [session.column, id.column])
        case .device(let id):
            try writer.change("UPDATE devices SET origin = ? WHERE id = ?", [session.column, id.column])
        case .deviceCredential(let id):
            try writer.change("UPDATE devices SET credential_origin = ? WHERE id = ?", [session.column, id.column])
        case .deviceKey(let id):
            try writer.change("UPDATE device_keys SET origin = ? WHERE device = ?", [session.column, id.column])
        case .pushToken(let id):
            try writer.change("UPDATE push_tokens SET origin = ? WHERE device = ?", [session.column, id.column])
        case .face(let provider):
            // A face that was set up after a password sign-in counts as set up by the password. So does a face of
            // unknown origin.
            try writer.change(
                """
                UPDATE enrolments SET origin = ?1, origin_methods = CASE WHEN EXISTS (
                    SELECT 1 FROM session_origins LEFT JOIN sessions ON sessions.id = session_origins.origin
                    WHERE session_origins.session = ?1 AND COALESCE(sessions.methods, 'pwd') = 'pwd'
                ) THEN 'pwd' ELSE (SELECT methods FROM sessions WHERE id = ?1) END
                WHERE account = ?2 AND provider = ?3
                """,
                [session.column, account.column, provider.column]
            )
        case .password:
            try writer.change("UPDATE accounts SET password_origin = ? WHERE id = ?", [session.column, account.column])
        }
    }

    package func notePushTokenByCredential(of device: DeviceID, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE push_tokens SET origin = (SELECT credential_origin FROM devices WHERE id = ?1) WHERE device = ?1",
            [device.column]
        )
    }

    package func children(
        of sessions: [SessionID],
        _ account: AccountID,
        byMeans: Bool,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] {
        let reader = try transaction.connection()
        return try reader.all(
            """
            SELECT session_origins.session FROM session_origins JOIN sessions ON sessions.id = session_origins.session
            WHERE session_origins.origin IN (\(reader.elements(of: "?")))
                AND session_origins.by_means <= ? AND sessions.account = ?
            """,
            [sessions.column, (byMeans ? 1 : 0).column, account.column]
        ) { try $0.id("session") }
    }

    package func devices(
        of sessions: [SessionID],
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [DeviceID] {
        let reader = try transaction.connection()
        return try reader.all(
            """
            SELECT device FROM sessions
            WHERE id IN (\(reader.elements(of: "?1"))) AND account = ?2 AND device IS NOT NULL AND binding = 'none'
            UNION SELECT id FROM devices
            WHERE origin IN (\(reader.elements(of: "?1"))) AND account = ?2 AND revoked_at IS NULL
            """,
            [sessions.column, account.column]
        ) { try $0.id("device") }
    }

    package func isRegistered(
        _ device: DeviceID,
        of account: AccountID,
        in session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().exists(
            "SELECT 1 FROM devices WHERE id = ? AND account = ? AND origin = ? AND revoked_at IS NULL",
            [device.column, account.column, session.column]
        )
    }

    package func sessions(
        on devices: [DeviceID],
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] {
        guard !devices.isEmpty else { return [] }
        let reader = try transaction.connection()
        return try reader.all(
            "SELECT id FROM sessions WHERE account = ? AND device IN (\(reader.elements(of: "?")))",
            [account.column, devices.column]
        ) { try $0.id("id") }
    }

    package func sessions(
        by passkey: PasskeyID,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] {
        try transaction.connection().all(
            "SELECT id FROM sessions WHERE account = ? AND passkey = ?",
            [account.column, passkey.column]
        ) { try $0.id("id") }
    }

    /// The mark of an account's face, byte for byte as in `Enrolment.mark`, because a scan stores that one.
    static let faceMark = "provider || ' ' || reference || ' ' || version"
}

extension SQLConnection {
    /// Links a session to another one, and to all sessions from which the other one descends.
    func link(_ session: SessionID, to origin: SessionID, byMeans: Bool) throws {
        guard session != origin else { return }
        try add(origin, to: session, byMeans: byMeans)
        // Most sessions have none. In one statement SQLite would make three temporary trees for them.
        let earlier = try all(
            "SELECT origin, by_means FROM session_origins WHERE session = ? AND origin <> ?",
            [origin.column, session.column]
        ) { (origin: try $0.id("origin", SessionID.self), byMeans: try $0.flag("by_means")) }
        for link in earlier { try add(link.origin, to: session, byMeans: byMeans || link.byMeans) }
    }

    /// Of two links between the same sessions the one without means is kept.
    private func add(_ origin: SessionID, to session: SessionID, byMeans: Bool) throws {
        try write(
            """
            INSERT INTO session_origins (session, origin, by_means) VALUES (?, ?, ?)
            ON CONFLICT (session, origin) DO UPDATE SET by_means = excluded.by_means
            WHERE session_origins.by_means > excluded.by_means
            """,
            [session.column, origin.column, byMeans.column]
        )
    }
}
