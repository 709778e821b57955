extension Migration {
    /// OAuth clients that are not in the config, their secrets, and the tickets with which clients register
    /// themselves.
    static let oauthClientTables = """
        CREATE TABLE oauth_clients (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 400),
            origin TEXT NOT NULL CHECK (origin IN ('added', 'registered')),
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            authentication TEXT NOT NULL
                CHECK (authentication = 'none' OR authentication = 'secret' OR authentication = 'private_key_jwt'),
            keys TEXT CHECK (length(keys) BETWEEN 1 AND 16384),
            grants TEXT NOT NULL CHECK (length(grants) BETWEEN 1 AND 300),
            redirect_uris TEXT NOT NULL CHECK (length(redirect_uris) <= 11000),
            post_logout_redirect_uris TEXT NOT NULL CHECK (length(post_logout_redirect_uris) <= 11000),
            scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
            resources TEXT NOT NULL CHECK (length(resources) <= 11000),
            requires_pushed_requests INTEGER NOT NULL CHECK (requires_pushed_requests IN (0, 1)),
            requires_dpop INTEGER NOT NULL CHECK (requires_dpop IN (0, 1)),
            requires TEXT NOT NULL DEFAULT 'face-or-passkey'
                CHECK (requires = 'any' OR requires = 'face-or-passkey' OR requires = 'face' OR requires = 'passkey'
                    OR requires = 'face-and-passkey'),
            ways TEXT NOT NULL DEFAULT '' CHECK (length(ways) <= 100),
            delivery TEXT CHECK (delivery = 'poll' OR delivery = 'ping' OR delivery = 'push'),
            notification_endpoint TEXT CHECK (length(notification_endpoint) BETWEEN 1 AND 1024),
            requires_signed_requests INTEGER NOT NULL CHECK (requires_signed_requests IN (0, 1)),
            id_token_algorithm TEXT
                CHECK (id_token_algorithm = 'ES256' OR id_token_algorithm = 'EdDSA' OR id_token_algorithm = 'RS256'),
            id_token_claims TEXT NOT NULL DEFAULT '' CHECK (length(id_token_claims) <= 200),
            logout_uri TEXT CHECK (length(logout_uri) BETWEEN 1 AND 1024),
            requires_logout_session INTEGER NOT NULL DEFAULT 0 CHECK (requires_logout_session IN (0, 1)),
            -- A JSON object of texts by the keys of a theme in the config.
            theme TEXT CHECK (length(theme) BETWEEN 2 AND 8192),
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

        -- Sessions that have ended, of which their client is to be told. `endpoint`, `algorithm`: for a client that is
        -- gone. No reference to the session or account: a notice outlives them.
        CREATE TABLE logout_notices (
            session TEXT PRIMARY KEY NOT NULL CHECK (length(session) = 36),
            account TEXT NOT NULL CHECK (length(account) = 36),
            client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
            endpoint TEXT NOT NULL CHECK (length(endpoint) BETWEEN 1 AND 1024),
            algorithm TEXT CHECK (algorithm = 'ES256' OR algorithm = 'EdDSA' OR algorithm = 'RS256'),
            created_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL CHECK (attempts >= 0),
            failure TEXT CHECK (length(failure) BETWEEN 1 AND 1000),
            lease TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX logout_notices_due ON logout_notices (due_at, session);
        CREATE INDEX logout_notices_of_clients ON logout_notices (client, due_at, session);
        CREATE INDEX logout_notices_by_age ON logout_notices (created_at);

        CREATE TABLE oauth_registration_tickets (
            digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
            uses INTEGER NOT NULL CHECK (uses BETWEEN 0 AND 1000),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX oauth_registration_tickets_by_expiry ON oauth_registration_tickets (expires_at);
        """
}
