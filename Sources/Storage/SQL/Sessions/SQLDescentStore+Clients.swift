package import Kernel
import SignIn

// Ending a client's sessions in more than one unit of work.
extension SQLDescentStore {
    package func noteEnding(of client: String, at now: Instant?, in transaction: borrowing Transaction) throws -> Int {
        let writer = try transaction.connection()
        // The limit is the newest session's start, not the clock alone, which may have been set back since.
        let newest = try writer.first(
            "SELECT MAX(created_at) AS newest FROM sessions WHERE client = ? AND revoked_at IS NULL",
            [client.column]
        ) { try $0.optionalInstant("newest") }
        if let limit = [newest ?? nil, now].compactMap(\.self).max() {
            try writer.change(
                """
                INSERT INTO client_endings (client, opened_by) VALUES (?, ?)
                ON CONFLICT (client) DO UPDATE SET opened_by = excluded.opened_by
                WHERE client_endings.opened_by < excluded.opened_by
                """,
                [client.column, limit.column]
            )
        }
        return try writer.count(
            "SELECT COUNT(*) AS count FROM sessions WHERE client = ? AND revoked_at IS NULL",
            [client.column]
        )
    }

    package func endingLimit(of client: String, in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.connection().first(
            "SELECT opened_by FROM client_endings WHERE client = ?",
            [client.column]
        ) { try $0.instant("opened_by") }
    }

    package func endingClients(in transaction: borrowing Transaction) throws -> [String] {
        try transaction.connection().all("SELECT client FROM client_endings ORDER BY client") { try $0.text("client") }
    }

    package func sessions(
        ofEnding client: String,
        after last: SessionID?,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [(session: SessionID, account: AccountID)] {
        try transaction.connection().all(
            """
            SELECT id, account FROM sessions
            WHERE id > ?2 AND client = ?1 AND revoked_at IS NULL
                AND created_at <= (SELECT opened_by FROM client_endings WHERE client = ?1)
            ORDER BY id LIMIT ?3
            """,
            [client.column, last.columnOrEmpty, limit.column]
        ) { (session: try $0.id("id"), account: try $0.id("account")) }
    }

    package func noteEnd(of client: String, in transaction: borrowing Transaction) throws -> Bool {
        let writer = try transaction.connection()
        try writer.change(
            """
            DELETE FROM client_endings WHERE client = ?1 AND NOT EXISTS (
                SELECT 1 FROM sessions WHERE client = ?1 AND revoked_at IS NULL AND created_at <= opened_by
            )
            """,
            [client.column]
        )
        return try !writer.exists("SELECT 1 FROM client_endings WHERE client = ?", [client.column])
    }
}
