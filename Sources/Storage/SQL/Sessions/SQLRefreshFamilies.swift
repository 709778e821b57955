package import Kernel
package import Sessions

// Rotation of refresh tokens: the read that decides, and the write that only one of several requests can do.
extension SQLSessionStore {
    package func family(of key: Digest256, in transaction: borrowing Transaction) throws -> RefreshFamily? {
        try transaction.connection().first(
            """
            SELECT \(SessionColumns.selected), \(Self.held), \(Self.next)
            FROM refresh_tokens AS held
                JOIN sessions ON sessions.id = held.session
                LEFT JOIN refresh_tokens AS next ON next.jti_hash = held.child AND next.session = held.session
            WHERE held.jti_hash = ?
            """,
            [key.column]
        ) { columns -> RefreshFamily? in
            let session = try SessionColumns.read(&columns)
            guard let presented = try Self.token(columns.prefixed("held_"), of: session.id) else { return nil }
            let child = try Self.token(columns.prefixed("next_"), of: session.id)
            return RefreshFamily(session: session, presented: presented, child: child)
        } ?? nil
    }

    package func rotate(
        into successor: RefreshToken,
        parentEndsAt: Instant,
        isProven: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let parent = successor.lineage.parent else { return false }
        let writer = try transaction.connection()
        let claimed = try writer.change(
            """
            UPDATE refresh_tokens
            SET child = ?, first_used_at = COALESCE(first_used_at, ?), expires_at = ?, is_rotation_proven = ?
            WHERE jti_hash = ? AND child IS NULL
            """,
            [successor.key.column, successor.issuedAt.column, parentEndsAt.column, isProven.column, parent.column]
        )
        guard claimed == 1 else { return false }
        // Not from the parent's row: SQLite copies what it inserts from the same table into a temporary one first.
        try writer.write(
            """
            INSERT INTO refresh_tokens (jti_hash, session, family, parent, client, issued_at, expires_at)
            SELECT ?, id, ?, ?, client, ?, ? FROM sessions WHERE id = ?
            """,
            [
                successor.key.column, successor.lineage.family.column, parent.column, successor.issuedAt.column,
                successor.expiresAt.column, successor.session.column,
            ]
        )
        return true
    }

    package func markUsed(_ key: Digest256, at now: Instant, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE refresh_tokens SET first_used_at = ? WHERE jti_hash = ? AND first_used_at IS NULL",
            [now.column, key.column]
        )
    }

    private static let (held, next) = (columns(of: "held"), columns(of: "next"))

    /// Returns the columns of one of the two refresh tokens, with the token's name as a prefix.
    private static func columns(of token: String) -> String {
        [
            "jti_hash", "family", "parent", "child", "issued_at", "expires_at", "first_used_at", "is_rotation_proven",
        ].map { "\(token).\($0) AS \(token)_\($0)" }.joined(separator: ", ")
    }

    /// Returns `nil` where an outer join found no refresh token.
    private static func token(_ reader: ColumnReader, of session: SessionID) throws -> RefreshToken? {
        var columns = reader
        guard let key = try columns.optionalDigest("jti_hash") else { return nil }
        return RefreshToken(
            key: key,
            session: session,
            lineage: RefreshToken.Lineage(
                family: try columns.digest("family"),
                parent: try columns.optionalDigest("parent"),
                child: try columns.optionalDigest("child")
            ),
            issuedAt: try columns.instant("issued_at"),
            expiresAt: try columns.instant("expires_at"),
            firstUsedAt: try columns.optionalInstant("first_used_at"),
            isRotationProven: try columns.flag("is_rotation_proven")
        )
    }
}
