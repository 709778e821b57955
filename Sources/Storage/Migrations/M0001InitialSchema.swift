extension Migration {
    /// Accounts, devices, sessions, operations and the audit.
    static let initialSchema = Migration(
        version: 1,
        name: "initial schema",
        sqlite: """
            CREATE TABLE accounts (
                id TEXT PRIMARY KEY NOT NULL,
                display_name TEXT NOT NULL,
                state TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
                password_hash TEXT,
                created_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE account_attributes (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (account, name)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE identifiers (
                kind TEXT NOT NULL CHECK (kind IN ('email')),
                value TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                is_verified INTEGER NOT NULL CHECK (is_verified IN (0, 1)),
                PRIMARY KEY (kind, value)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX identifiers_by_account ON identifiers (account);

            CREATE TABLE enrolments (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                reference TEXT NOT NULL,
                state TEXT NOT NULL CHECK (state IN ('active', 'revoked')),
                PRIMARY KEY (account, provider)
            ) STRICT, WITHOUT ROWID;
            CREATE UNIQUE INDEX enrolments_by_reference ON enrolments (provider, reference);

            CREATE TABLE device_links (
                cookie BLOB NOT NULL CHECK (length(cookie) = 32),
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                client TEXT NOT NULL,
                device TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                last_seen_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                revoked_at INTEGER,
                PRIMARY KEY (cookie, account, client)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX device_links_by_account ON device_links (account, device);
            CREATE INDEX device_links_by_expiry ON device_links (expires_at);
            CREATE INDEX revoked_device_links ON device_links (revoked_at) WHERE revoked_at IS NOT NULL;

            CREATE TABLE sessions (
                id TEXT PRIMARY KEY NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                client TEXT NOT NULL,
                device TEXT,
                methods TEXT NOT NULL,
                authenticated_at INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                revoked_at INTEGER
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX sessions_by_account ON sessions (account);
            CREATE INDEX revoked_sessions ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;

            CREATE TABLE refresh_tokens (
                jti_hash BLOB PRIMARY KEY NOT NULL CHECK (length(jti_hash) = 32),
                session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                family BLOB NOT NULL CHECK (length(family) = 32),
                parent BLOB CHECK (length(parent) = 32),
                child BLOB CHECK (length(child) = 32),
                account TEXT NOT NULL,
                client TEXT NOT NULL,
                device TEXT,
                issued_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                authenticated_at INTEGER NOT NULL,
                first_used_at INTEGER
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session);
            CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);

            CREATE TABLE operations (
                id TEXT NOT NULL UNIQUE,
                public_id BLOB NOT NULL CHECK (length(public_id) = 32),
                ticket BLOB NOT NULL CHECK (length(ticket) = 32),
                kind TEXT NOT NULL CHECK (kind IN ('login')),
                account TEXT,
                device TEXT,
                provider TEXT NOT NULL,
                client TEXT NOT NULL,
                policy TEXT NOT NULL,
                code_challenge BLOB,
                binding_cookie BLOB NOT NULL CHECK (length(binding_cookie) = 32),
                is_bound INTEGER NOT NULL CHECK (is_bound IN (0, 1)),
                state TEXT NOT NULL
                    CHECK (state IN ('created', 'opened', 'pending', 'approved', 'redeemed', 'closed', 'failed')),
                failure TEXT
                    CHECK (failure IN ('declined', 'denied_not_me', 'not_matched', 'liveness_failed', 'too_many_attempts',
                        'expired', 'canceled', 'superseded', 'provider_error', 'provider_unavailable',
                        'account_blocked')),
                scan_reference TEXT,
                scan_browser BLOB,
                scan_attempt INTEGER,
                scan_started_at INTEGER,
                scan_progress TEXT CHECK (scan_progress IN ('user_in_provider', 'processing')),
                approved_at INTEGER,
                session TEXT,
                access_jti TEXT,
                refresh_jti TEXT,
                issued_at INTEGER,
                authenticated_at INTEGER,
                redeemed_at INTEGER,
                collector BLOB,
                seq INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                deadline INTEGER NOT NULL,
                ended_at INTEGER,
                node TEXT NOT NULL,
                lease_until INTEGER,
                CHECK ((ended_at IS NOT NULL) = (state IN ('closed', 'failed'))),
                CHECK ((failure IS NOT NULL) = (state = 'failed'))
            ) STRICT;
            CREATE INDEX operations_by_end ON operations (ended_at) WHERE ended_at IS NOT NULL;
            -- Live operations are found on the board: their random ids would cost a page of the log each.
            CREATE UNIQUE INDEX ended_operations_by_public_id ON operations (public_id) WHERE ended_at IS NOT NULL;

            CREATE TABLE audit (
                node TEXT NOT NULL,
                number INTEGER NOT NULL,
                at INTEGER NOT NULL,
                fact TEXT NOT NULL,
                subject TEXT NOT NULL,
                account TEXT,
                detail TEXT,
                prev_hash BLOB NOT NULL CHECK (length(prev_hash) = 32),
                hash BLOB NOT NULL CHECK (length(hash) = 32),
                PRIMARY KEY (node, number)
            ) STRICT, WITHOUT ROWID;
            """
    )
}
