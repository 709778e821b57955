package import Kernel

/// A kind of rows that retention deletes some time after their end.
///
/// This is the only list of the tables, and of the columns that say when their rows end.
///
/// Rows that refer to a deleted row are deleted by their foreign keys.
package struct SQLExpiringRows: Sendable {
    /// The deletions in their order, each of which deletes at most the rest of the limit.
    private let deletions: [Deletion]

    private init(_ deletions: Deletion...) { self.deletions = deletions }

    package var purge: Purge {
        { [deletions] instant, limit, transaction in
            let writer = try transaction.connection()
            var count = 0
            for deletion in deletions where count < limit {
                count += try deletion.run(instant, limit - count, writer)
            }
            return count
        }
    }

    package static let operations = Self(.init("operations", by: "id", ended: "ended_at"))
    package static let sessions = Self(
        .expiredRefreshTokens,
        .revokedRefreshTokens,
        .init("sessions", by: "id", ended: "revoked_at")
    )
    package static let deviceLinks = Self(
        .init("device_links", by: "cookie, account, client"),
        .init("device_links", by: "cookie, account, client", ended: "revoked_at")
    )
    package static let ownerlessDevices = Self(
        .init("devices", by: "id", ended: "created_at", where: "account IS NULL")
    )
    package static let devices = Self(
        .init("devices", by: "id"),
        .init("devices", by: "id", ended: "revoked_at")
    )
    package static let lockouts = Self(.init("lockouts", by: "subject", ended: "last_tried_at"))
    package static let deviceAuthorizations = Self(.init("device_authorizations", by: "number"))
    package static let emailCodes = Self(.init("email_codes", by: "id", ended: "created_at"))
    package static let passkeyChallenges = Self(.init("passkey_challenges", by: "number"))
    package static let webSessions = Self(.init("web_sessions", by: "cookie"))
    package static let usedMarks = Self(.init("used_marks", by: "digest"))
    package static let authorizationCodes = Self(.init("oauth_codes", by: "digest"))
    package static let interactions = Self(.init("oauth_interactions", by: "number"))
    package static let pushedRequests = Self(.init("oauth_requests", by: "number"))
    package static let consents = Self(.init("oauth_consents", by: "account, client, origin"))
    package static let backchannelRequests = Self(
        .init("backchannel_requests", by: "id", ended: "kept_until")
    )
    package static let bankEnrolments = Self(.init("bank_enrolments", by: "number"))
    package static let payments = Self(.init("payments", by: "id", ended: "created_at"))
    package static let registrations = Self(
        .init("oauth_registration_tickets", by: "digest"),
        .init("oauth_client_secrets", by: "client, digest")
    )
    package static let mails = Self(
        .init("mail_queue", by: "id", ended: "ended_at", where: "state = 'bounced'")
    )
}

/// Deletes about as many rows as a limit that ended before an instant, and returns how many.
///
/// A deletion of one table never exceeds the limit, and begins with the oldest row. Those of refresh tokens differ, as
/// they describe.
private struct Deletion: Sendable {
    let run: @Sendable (Instant, Int, SQLConnection) throws -> Int

    /// Deletes the rows of a table that ended longest ago.
    ///
    /// `key`: the columns of a unique key. Names are literals of this program.
    ///
    /// `column`: the end of the row. An index begins with it, so that remaining rows are not read. A row without an
    /// end stays.
    ///
    /// `condition`: the condition of that index, if the column does not imply it.
    init(
        _ table: StaticString,
        by key: StaticString,
        ended column: StaticString = "expires_at",
        where condition: StaticString = "TRUE"
    ) {
        let sql = """
            DELETE FROM \(table) WHERE (\(key)) IN (
                SELECT \(key) FROM \(table) WHERE \(condition) AND \(column) < ? ORDER BY \(column) LIMIT ?
            )
            """
        run = { instant, limit, writer in try writer.change(sql, [instant.column, limit.column]) }
    }

    private init(run: @escaping @Sendable (Instant, Int, SQLConnection) throws -> Int) { self.run = run }

    /// Deletes expired refresh tokens, the oldest first, and each session that has none left.
    ///
    /// Only the tokens tell which sessions to check.
    ///
    /// The limit is that of refresh tokens. At most one session for each is deleted in addition, and is counted too.
    static let expiredRefreshTokens = Deletion { instant, limit, writer in
        let expired = try writer.all(
            "SELECT jti_hash, session FROM refresh_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ?",
            [instant.column, limit.column]
        ) { (key: try $0.digest("jti_hash"), session: try $0.text("session")) }
        for row in expired {
            try writer.change("DELETE FROM refresh_tokens WHERE jti_hash = ?", [row.key.column])
        }
        return try Set(expired.map(\.session)).reduce(expired.count) { count, session in
            try count
                + writer.change(
                    """
                    DELETE FROM sessions WHERE id = ?1
                        AND NOT EXISTS (SELECT 1 FROM refresh_tokens WHERE session = ?1)
                    """,
                    [session.column]
                )
        }
    }

    /// Deletes the refresh tokens of revoked sessions before the sessions, in no order.
    ///
    /// They may be many, and the unit of work stays bounded.
    static let revokedRefreshTokens = Deletion { instant, limit, writer in
        try writer.change(
            """
            DELETE FROM refresh_tokens WHERE jti_hash IN (
                SELECT jti_hash FROM sessions JOIN refresh_tokens ON refresh_tokens.session = sessions.id
                WHERE sessions.revoked_at < ? LIMIT ?
            )
            """,
            [instant.column, limit.column]
        )
    }
}
