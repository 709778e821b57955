extension Migration {
    /// OAuth clients that are not in the config, their secrets, and the tickets with which clients register
    /// themselves.
    static let oauthClientTables = """
        CREATE TABLE oauth_clients (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 400),
            origin TEXT NOT NULL CHECK (origin IN ('added', 'registered')),
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            authentication TEXT NOT NULL CHECK (authentication IN ('none', 'secret', 'private_key_jwt')),
            keys TEXT CHECK (length(keys) BETWEEN 1 AND 16384),
            grants TEXT NOT NULL CHECK (length(grants) BETWEEN 1 AND 300),
            redirect_uris TEXT NOT NULL CHECK (length(redirect_uris) <= 11000),
            post_logout_redirect_uris TEXT NOT NULL CHECK (length(post_logout_redirect_uris) <= 11000),
            scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
            resources TEXT NOT NULL CHECK (length(resources) <= 11000),
            requires_pushed_requests INTEGER NOT NULL CHECK (requires_pushed_requests IN (0, 1)),
            requires_dpop INTEGER NOT NULL CHECK (requires_dpop IN (0, 1)),
            requires TEXT NOT NULL DEFAULT 'face-or-passkey'
                CHECK (requires IN ('any', 'face-or-passkey', 'face', 'passkey', 'face-and-passkey')),
            delivery TEXT CHECK (delivery IN ('poll', 'ping', 'push')),
            notification_endpoint TEXT CHECK (length(notification_endpoint) BETWEEN 1 AND 1024),
            requires_signed_requests INTEGER NOT NULL CHECK (requires_signed_requests IN (0, 1)),
            id_token_algorithm TEXT CHECK (id_token_algorithm IN ('ES256', 'EdDSA', 'RS256')),
            id_token_claims TEXT NOT NULL DEFAULT '' CHECK (length(id_token_claims) <= 200),
            created_at INTEGER NOT NULL,
            CHECK ((authentication = 'private_key_jwt') = (keys IS NOT NULL)),
            CHECK ((COALESCE(delivery, 'poll') = 'poll') = (notification_endpoint IS NULL))
        ) STRICT;

        -- Keyed hashes; the one in force has no end.
        CREATE TABLE oauth_client_secrets (
            client TEXT NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            expires_at INTEGER,
            PRIMARY KEY (client, digest)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX oauth_client_secrets_by_expiry ON oauth_client_secrets (expires_at)
            WHERE expires_at IS NOT NULL;

        CREATE TABLE oauth_registration_tickets (
            digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
            uses INTEGER NOT NULL CHECK (uses BETWEEN 0 AND 1000),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX oauth_registration_tickets_by_expiry ON oauth_registration_tickets (expires_at);
        """
}
