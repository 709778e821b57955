package import Kernel
package import Sessions

/// The store of sessions and refresh tokens.
package struct SQLSessionStore: SessionStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(
        _ session: Session,
        _ token: RefreshToken,
        face: FaceInForce?,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.connection()
        try writer.write(
            """
            INSERT INTO sessions (
                id, account, client, device, methods, binding, proof_key, passkey, authenticated_at, created_at,
                revoked_at, revoked_because, is_device_proven, face, origin_address, origin_agent
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                session.id.column, session.account.column, session.client.column,
                session.linkedDevice.column(\.id.column), session.authentication.methods.spaced.column,
                session.tokenBinding.proof.rawValue.column, session.tokenBinding.key.column(\.column),
                session.authentication.passkey.column(\.column), session.authentication.at.column,
                session.createdAt.column, session.revocation.column(\.at.column),
                (session.revocation?.reason).column(\.rawValue.column),
                (session.linkedDevice?.isProven ?? false).column, face.column(\.mark.column),
                session.authentication.origin.column(\.address.column),
                session.authentication.origin.column(\.agent.column),
            ]
        )
        try writer.write(
            """
            INSERT INTO refresh_tokens (
                jti_hash, session, family, parent, child, client, issued_at, expires_at, first_used_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                token.key.column, token.session.column, token.lineage.family.column,
                token.lineage.parent.column(\.column), token.lineage.child.column(\.column), session.client.column,
                token.issuedAt.column, token.expiresAt.column, token.firstUsedAt.column(\.column),
            ]
        )
        try writer.linkToMeans(session)
        if let origin = face?.origin { try writer.link(session.id, to: origin, byMeans: true) }
    }

    package func find(_ id: SessionID) async throws -> Session? { try await database.reading { try find(id, in: $0) } }

    package func find(_ id: SessionID, in transaction: borrowing Transaction) throws -> Session? {
        try transaction.connection().row(SessionColumns.self, where: "id = ?", [id.column])
    }

    package func list(of account: AccountID, limit: Int) async throws -> [ListedSession] {
        try await database.read { reader in
            try reader.all(
                """
                SELECT \(SessionColumns.selected),
                    COALESCE((SELECT MAX(issued_at) FROM refresh_tokens WHERE session = sessions.id), created_at)
                        AS refreshed_at,
                    COALESCE((SELECT MAX(expires_at) FROM refresh_tokens WHERE session = sessions.id), created_at)
                        AS expires_at
                FROM sessions WHERE account = ? ORDER BY created_at DESC, id LIMIT ?
                """,
                [account.column, limit.column]
            ) { columns in
                ListedSession(
                    session: try SessionColumns.read(&columns),
                    refreshedAt: try columns.instant("refreshed_at"),
                    expiresAt: try columns.instant("expires_at")
                )
            }
        }
    }

    package func open(
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] {
        try transaction.connection().all(
            "SELECT id FROM sessions WHERE account = ? AND client = ? AND revoked_at IS NULL ORDER BY id",
            [account.column, client.column]
        ) { try $0.id("id") }
    }

    package func revoked(after instant: Instant, limit: Int) async throws -> [Revocation] {
        try await database.read { reader in
            try reader.all(
                "SELECT id, revoked_at FROM sessions WHERE revoked_at > ? ORDER BY revoked_at DESC LIMIT ?",
                [instant.column, limit.column]
            ) { columns in Revocation(session: try columns.id("id"), at: try columns.instant("revoked_at")) }
        }
    }

    package func active(among sessions: Set<SessionID>, at now: Instant) async throws -> Set<SessionID> {
        try await database.read { reader in
            let active = try reader.all(
                """
                SELECT id FROM sessions
                WHERE id IN (\(sessions.placeholders)) AND revoked_at IS NULL AND EXISTS (
                    SELECT 1 FROM refresh_tokens WHERE session = sessions.id AND expires_at > ?
                )
                """,
                sessions.map(\.column) + [now.column]
            ) { try $0.id("id", SessionID.self) }
            return Set(active)
        }
    }

    package func isOpen(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().exists(
            "SELECT 1 FROM sessions WHERE id = ? AND account = ? AND revoked_at IS NULL",
            [session.column, account.column]
        )
    }

    package func revoke(
        _ session: SessionID,
        of account: AccountID,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> RevokedSession? {
        try transaction.connection().first(
            """
            UPDATE sessions SET revoked_at = ?, revoked_because = ?
            WHERE id = ? AND account = ? AND revoked_at IS NULL RETURNING \(Self.revokedColumns)
            """,
            [now.column, reason.rawValue.column, session.column, account.column],
            read: Self.revoked
        )
    }

    package func revokeAll(
        of account: AccountID,
        except kept: SessionID?,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [RevokedSession] {
        try transaction.connection().all(
            """
            UPDATE sessions SET revoked_at = ?, revoked_because = ?
            WHERE account = ? AND revoked_at IS NULL AND id IS DISTINCT FROM ? RETURNING \(Self.revokedColumns)
            """,
            [now.column, reason.rawValue.column, account.column, kept.column { $0.column }],
            read: Self.revoked
        )
    }

    package func revoke(
        _ sessions: Set<SessionID>,
        of account: AccountID,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [RevokedSession] {
        let writer = try transaction.connection()
        return try writer.all(
            """
            UPDATE sessions SET revoked_at = ?, revoked_because = ?
            WHERE id IN (\(writer.elements(of: "?"))) AND account = ? AND revoked_at IS NULL
            RETURNING \(Self.revokedColumns)
            """,
            [now.column, reason.rawValue.column, sessions.column, account.column],
            read: Self.revoked
        )
    }

    /// With the end of the last refresh token, only of a session whose expiry is noted.
    private static let revokedColumns = """
        id, client, device, revoked_at, expiry_noted_at, CASE WHEN expiry_noted_at IS NOT NULL THEN (
            SELECT MAX(expires_at) FROM refresh_tokens WHERE session = sessions.id AND child IS NULL
        ) END AS last_expires_at
        """

    private static func revoked(_ columns: inout ColumnReader) throws -> RevokedSession {
        let (now, last) = (try columns.instant("revoked_at"), try columns.optionalInstant("last_expires_at"))
        // A clock that was ahead may have noted a session that goes on.
        let noted = try columns.optionalInstant("expiry_noted_at").map { min($0, now) }
        return RevokedSession(
            id: try columns.id("id"),
            client: try columns.text("client"),
            device: try columns.optionalID("device"),
            isExpiryNoted: noted.map { noted in last.map { $0 <= noted } ?? true } ?? false
        )
    }
}

extension SQLConnection {
    /// Links a session to the sessions in which its means were set up: the passkey, password or device key it began
    /// with.
    fileprivate func linkToMeans(_ session: Session) throws {
        if let passkey = session.authentication.passkey {
            try link(session, toOriginBy: "SELECT origin FROM passkeys WHERE id = ?", passkey.column)
        }
        if session.authentication.methods.contains("pwd") {
            let query = "SELECT password_origin AS origin FROM accounts WHERE id = ?"
            try link(session, toOriginBy: query, session.account.column)
        }
        if session.tokenBinding.proof == .deviceKey, let device = session.linkedDevice?.id {
            try link(session, toOriginBy: "SELECT origin FROM device_keys WHERE device = ?", device.column)
        }
    }

    private func link(_ session: Session, toOriginBy query: String, _ value: ColumnValue) throws {
        let origin = try first(query, [value]) { try $0.optionalID("origin", SessionID.self) } ?? nil
        guard let origin else { return }
        try link(session.id, to: origin, byMeans: true)
    }
}
