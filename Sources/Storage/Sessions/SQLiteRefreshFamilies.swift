import GRDB
package import Kernel
package import Sessions

// Rotation: the read that decides, and the write that only one of several can do.
extension SQLiteSessionStore {
    package func family(of key: Digest256, in transaction: borrowing Transaction) throws -> RefreshFamily? {
        try transaction.database().first(
            """
            SELECT \(SessionColumns.selected),
                held.family, held.parent, held.child, held.issued_at, held.expires_at, held.first_used_at,
                held.is_rotation_proven,
                next.jti_hash, next.family, next.parent, next.child, next.issued_at, next.expires_at,
                next.first_used_at, next.is_rotation_proven
            FROM refresh_tokens AS held
                JOIN sessions ON sessions.id = held.session
                LEFT JOIN refresh_tokens AS next ON next.jti_hash = held.child AND next.session = held.session
            WHERE held.jti_hash = ?
            """,
            [key.column]
        ) { columns in
            let session = try SessionColumns.read(&columns)
            let presented = try Self.token(key, session.id, &columns)
            let child = try columns.optionalDigest().map { try Self.token($0, session.id, &columns) }
            return RefreshFamily(session: session, presented: presented, child: child)
        }
    }

    package func rotate(
        into successor: RefreshToken,
        parentEndsAt: Instant,
        isProven: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let parent = successor.parent else { return false }
        let writer = try transaction.database()
        let claimed = try writer.change(
            """
            UPDATE refresh_tokens
            SET child = ?, first_used_at = COALESCE(first_used_at, ?), expires_at = ?, is_rotation_proven = ?
            WHERE jti_hash = ? AND child IS NULL
            """,
            [
                successor.key.column, successor.issuedAt.column, parentEndsAt.column, isProven.column,
                parent.column,
            ]
        )
        guard claimed == 1 else { return false }
        try writer.change(
            """
            INSERT INTO refresh_tokens (
                jti_hash, session, family, parent, child, account, client, device, issued_at, expires_at,
                authenticated_at, first_used_at
            )
            SELECT ?, session, family, jti_hash, NULL, account, client, device, ?, ?, authenticated_at, NULL
            FROM refresh_tokens WHERE jti_hash = ?
            """,
            [successor.key.column, successor.issuedAt.column, successor.expiresAt.column, parent.column]
        )
        return true
    }

    package func markUsed(_ key: Digest256, at now: Instant, in transaction: borrowing Transaction) throws {
        try transaction.database().change(
            "UPDATE refresh_tokens SET first_used_at = ? WHERE jti_hash = ? AND first_used_at IS NULL",
            [now.column, key.column]
        )
    }

    private static func token(
        _ key: Digest256,
        _ session: SessionID,
        _ columns: inout ColumnReader
    ) throws -> RefreshToken {
        RefreshToken(
            key: key,
            session: session,
            family: try columns.digest(),
            parent: try columns.optionalDigest(),
            child: try columns.optionalDigest(),
            issuedAt: try columns.instant(),
            expiresAt: try columns.instant(),
            firstUsedAt: columns.optionalInstant(),
            isRotationProven: try columns.integer() == 1
        )
    }
}
