extension Migration {
    /// Sessions with the sessions that they descend from, refresh tokens, browsers' sessions, and used proofs.
    static let sessionTables = """
        -- `proof_key`: the thumbprint of the key that the tokens are bound to (RFC 9449, RFC 7638).
        -- `passkey`, `face`: what the session began with. `expiry_noted_at`: its client was told that it expired.
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY NOT NULL,
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            client TEXT NOT NULL,
            device TEXT,
            is_device_proven INTEGER NOT NULL DEFAULT 0 CHECK (is_device_proven IN (0, 1)),
            methods TEXT NOT NULL,
            binding TEXT NOT NULL DEFAULT 'none' CHECK (binding IN ('none', 'device-key')),
            proof_key BLOB CHECK (length(proof_key) = 32),
            passkey TEXT CHECK (length(passkey) = 36),
            face TEXT,
            origin_address TEXT CHECK (length(origin_address) <= 100),
            origin_agent TEXT CHECK (length(origin_agent) <= 100),
            authenticated_at INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            revoked_at INTEGER,
            revoked_because TEXT
                CHECK (revoked_because IS NULL OR revoked_because = 'signed_out'
                    OR revoked_because = 'signed_out_everywhere' OR revoked_because = 'refresh_reuse'
                    OR revoked_because = 'not_me' OR revoked_because = 'account_disabled'
                    OR revoked_because = 'device_revoked' OR revoked_because = 'password_changed'
                    OR revoked_because = 'address_proved' OR revoked_because = 'revoked_by_operator'
                    OR revoked_because = 'passkey_removed'),
            expiry_noted_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessions_by_account ON sessions (account);
        CREATE INDEX sessions_of_clients ON sessions (client, id) WHERE revoked_at IS NULL;
        CREATE INDEX revoked_sessions ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;

        -- With all that the origin descends from itself, so that one in between may go. `by_means`: not opened out
        -- of the origin, but by a proof that was set up in it.
        CREATE TABLE session_origins (
            session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            origin TEXT NOT NULL CHECK (length(origin) = 36),
            by_means INTEGER NOT NULL CHECK (by_means IN (0, 1)),
            PRIMARY KEY (session, origin)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_origins_by_origin ON session_origins (origin);

        CREATE TABLE refresh_tokens (
            jti_hash BLOB PRIMARY KEY NOT NULL CHECK (length(jti_hash) = 32),
            session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            family BLOB NOT NULL CHECK (length(family) = 32),
            parent BLOB CHECK (length(parent) = 32),
            child BLOB CHECK (length(child) = 32),
            is_rotation_proven INTEGER NOT NULL DEFAULT 0 CHECK (is_rotation_proven IN (0, 1)),
            client TEXT NOT NULL,
            issued_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            first_used_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session);
        CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);

        CREATE TABLE web_sessions (
            cookie BLOB PRIMARY KEY NOT NULL CHECK (length(cookie) = 32),
            session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            is_alone INTEGER NOT NULL CHECK (is_alone IN (0, 1)),
            created_at INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX web_sessions_by_session ON web_sessions (session);
        CREATE INDEX web_sessions_by_expiry ON web_sessions (expires_at);

        -- Clients whose sessions are being ended: there may be too many of them for one unit of work. Sessions that are
        -- opened after `opened_by` stay.
        CREATE TABLE client_endings (
            client TEXT PRIMARY KEY NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
            opened_by INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- One row: up to when sessions that expired were looked for.
        CREATE TABLE session_expiries (
            id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
            noted_until INTEGER NOT NULL
        ) STRICT;

        -- Proofs, assertions, signed requests and tickets that were used, by a hash: each grants once.
        CREATE TABLE used_marks (
            digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX used_marks_by_expiry ON used_marks (expires_at);
        """
}
