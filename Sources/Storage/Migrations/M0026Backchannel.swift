extension Migration {
    /// Backchannel requests, the notices about them, and the message that a client has their page show.
    ///
    /// Who is asked, and what came of it, is in the row of the operation. There is one notice per request: it is queued while
    /// `notice_due_at` is there, and a lease is a token beside one that lies at its end.
    static let backchannel = Migration(
        version: 26,
        name: "backchannel",
        sqlite: """
            ALTER TABLE operations ADD COLUMN binding_message TEXT
                CHECK (length(binding_message) BETWEEN 1 AND 100);

            CREATE TABLE backchannel_requests (
                id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 32),
                operation TEXT NOT NULL UNIQUE,
                client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
                delivery TEXT NOT NULL CHECK (delivery IN ('poll', 'ping', 'push')),
                scopes TEXT NOT NULL CHECK (length(scopes) BETWEEN 6 AND 1024),
                resources TEXT NOT NULL CHECK (length(resources) <= 16384),
                interval_ms INTEGER NOT NULL CHECK (interval_ms > 0),
                endpoint TEXT CHECK (length(endpoint) BETWEEN 1 AND 2048),
                sealing_key TEXT CHECK (length(sealing_key) BETWEEN 1 AND 64),
                sealed BLOB CHECK (length(sealed) BETWEEN 1 AND 2048),
                created_at INTEGER NOT NULL,
                kept_until INTEGER NOT NULL,
                notice_due_at INTEGER,
                notice_expires_at INTEGER,
                notice_attempts INTEGER NOT NULL DEFAULT 0 CHECK (notice_attempts >= 0),
                notice_lease TEXT,
                CHECK ((endpoint IS NULL) = (sealed IS NULL) AND (endpoint IS NULL) = (sealing_key IS NULL)),
                CHECK (endpoint IS NULL OR delivery <> 'poll'),
                CHECK (notice_due_at IS NULL OR (endpoint IS NOT NULL AND notice_expires_at IS NOT NULL)),
                CHECK (notice_lease IS NULL OR notice_due_at IS NOT NULL)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX backchannel_requests_by_end ON backchannel_requests (kept_until);
            CREATE INDEX backchannel_notices_due ON backchannel_requests (notice_due_at)
                WHERE notice_due_at IS NOT NULL;
            """
    )
}
