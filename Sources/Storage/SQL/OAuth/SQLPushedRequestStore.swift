package import Kernel
package import OAuth

/// The store of pushed authorization requests.
package struct SQLPushedRequestStore: PushedRequestStore {
    package init() {}

    package func insert(
        _ request: PushedRequest,
        keepingInAll: Int,
        mostOfClient: Int,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let writer = try transaction.connection()
        // Reads at most as many rows of the index as the limit, however many there are.
        let isFull = try writer.exists(
            "SELECT 1 FROM oauth_requests WHERE client = ? AND expires_at > ? LIMIT 1 OFFSET ?",
            [request.clientID.column, request.createdAt.column, (mostOfClient - 1).column]
        )
        guard !isFull else { return false }
        try writer.change(
            """
            INSERT INTO oauth_requests (number, digest, client, parameters, created_at, expires_at)
            VALUES (1 + COALESCE((SELECT MAX(number) FROM oauth_requests), 0), ?, ?, ?, ?, ?)
            """,
            [
                request.digest.column, request.clientID.column, request.parameters.text.column,
                request.createdAt.column, request.expiresAt.column,
            ]
        )
        try writer.keepNewest(keepingInAll, of: "oauth_requests")
        return true
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
