extension Migration {
    /// Which clients' sessions are being ended: there may be too many of them for one unit of work.
    static let clientEndings = Migration(
        version: 52,
        name: "client endings",
        sqlite: """
            CREATE TABLE client_endings (
                client TEXT PRIMARY KEY NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
                -- Sessions of before that end; those that are opened later stay.
                opened_by INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX sessions_of_clients ON sessions (client, id) WHERE revoked_at IS NULL;
            """
    )
}
