package import Kernel
package import OAuth

/// The store of pushed authorization requests.
package struct SQLPushedRequestStore: PushedRequestStore {
    package init() {}

    package func has(
        _ count: Int,
        of clientID: String,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        // Reads at most that many rows of the index, however many there are.
        try transaction.connection().exists(
            "SELECT 1 FROM oauth_requests WHERE client = ? AND expires_at > ? LIMIT 1 OFFSET ?",
            [clientID.column, now.column, (count - 1).column]
        )
    }

    package func insert(
        _ request: PushedRequest,
        keepingInAll: Int,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.connection()
        let number = try writer.insertNumbered(
            """
            INSERT INTO oauth_requests (digest, client, parameters, created_at, expires_at) VALUES (?, ?, ?, ?, ?)
            RETURNING number
            """,
            [
                request.digest.column, request.clientID.column, request.parameters.text.column,
                request.createdAt.column, request.expiresAt.column,
            ]
        )
        if let number { try writer.keepNewest(keepingInAll, of: "oauth_requests", after: number, with: request.digest) }
    }

    package func take(
        _ digest: Digest256,
        of clientID: String,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> PushedRequest? {
        let writer = try transaction.connection()
        let found = try writer.first(
            """
            SELECT digest, client, parameters, created_at, expires_at FROM oauth_requests
            WHERE digest = ? AND client = ? AND expires_at > ?
            """,
            [digest.column, clientID.column, now.column]
        ) { columns in
            PushedRequest(
                digest: try columns.digest("digest"),
                clientID: try columns.text("client"),
                parameters: AuthorizationParameters(text: try columns.text("parameters")),
                createdAt: try columns.instant("created_at"),
                expiresAt: try columns.instant("expires_at")
            )
        }
        guard let found else { return nil }
        try writer.change("DELETE FROM oauth_requests WHERE digest = ?", [digest.column])
        return found
    }
}
