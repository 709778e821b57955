extension Migration {
    /// Devices that are registered, with a credential or a key.
    static let devices = Migration(
        version: 4,
        name: "devices",
        sqlite: """
            CREATE TABLE devices (
                id TEXT PRIMARY KEY NOT NULL,
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                client TEXT NOT NULL,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
                credential BLOB UNIQUE CHECK (length(credential) = 32),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                revoked_at INTEGER,
                UNIQUE (client, name)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX devices_by_account ON devices (account) WHERE account IS NOT NULL;
            CREATE INDEX devices_by_expiry ON devices (expires_at);
            CREATE INDEX revoked_devices ON devices (revoked_at) WHERE revoked_at IS NOT NULL;

            CREATE TABLE device_keys (
                device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
                public_key TEXT NOT NULL CHECK (length(public_key) = 87),
                last_count INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """
    )
}
