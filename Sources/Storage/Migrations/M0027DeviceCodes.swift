extension Migration {
    /// What devices without a browser ask for (RFC 8628), and what people have said to it.
    static let deviceCodes = Migration(
        version: 27,
        name: "device codes",
        sqlite: """
            -- What was asked for first has the lowest number: it is the first to go where too many are open.
            CREATE TABLE device_authorizations (
                number INTEGER PRIMARY KEY NOT NULL,
                device_code BLOB NOT NULL UNIQUE CHECK (length(device_code) = 32),
                user_code BLOB NOT NULL UNIQUE CHECK (length(user_code) = 32),
                client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
                scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
                resources TEXT NOT NULL CHECK (length(resources) <= 16384),
                source BLOB NOT NULL CHECK (length(source) = 32),
                origin_address TEXT NOT NULL CHECK (length(origin_address) <= 64),
                origin_agent TEXT NOT NULL CHECK (length(origin_agent) <= 64),
                state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'redeemed')),
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                methods TEXT CHECK (length(methods) <= 200),
                authenticated_at INTEGER,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                CHECK (
                    (state = 'approved') = (account IS NOT NULL)
                    AND (state = 'approved') = (methods IS NOT NULL)
                    AND (state = 'approved') = (authenticated_at IS NOT NULL)
                )
            ) STRICT;
            CREATE INDEX device_authorizations_by_source ON device_authorizations (source, number);
            CREATE INDEX device_authorizations_by_expiry ON device_authorizations (expires_at);
            CREATE INDEX device_authorizations_by_account ON device_authorizations (account)
                WHERE account IS NOT NULL;
            """
    )
}
