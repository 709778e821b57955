extension Migration {
    /// Sign-in codes that were sent by mail, for as long as their tries are counted.
    ///
    /// An address that nobody has gets rows under a stand-in: `account` refers to nothing.
    static let emailCodes = Migration(
        version: 12,
        name: "email codes",
        sqlite: """
            CREATE TABLE email_codes (
                id TEXT PRIMARY KEY NOT NULL,
                account TEXT NOT NULL,
                address BLOB NOT NULL CHECK (length(address) = 32),
                client TEXT NOT NULL,
                device TEXT NOT NULL CHECK (length(device) BETWEEN 1 AND 128),
                linked_device TEXT,
                digits BLOB NOT NULL CHECK (length(digits) = 32),
                link BLOB NOT NULL UNIQUE CHECK (length(link) = 32),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                wrong_tries INTEGER NOT NULL CHECK (wrong_tries BETWEEN 0 AND 5),
                ended_at INTEGER
            ) STRICT;
            CREATE UNIQUE INDEX email_codes_live ON email_codes (account, client, device) WHERE ended_at IS NULL;
            CREATE INDEX email_codes_address ON email_codes (address, client, device) WHERE ended_at IS NULL;
            CREATE INDEX email_codes_account ON email_codes (account, created_at);
            CREATE INDEX email_codes_created ON email_codes (created_at);
            """
    )
}
