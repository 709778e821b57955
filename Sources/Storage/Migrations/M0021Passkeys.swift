extension Migration {
    /// Passkeys with their open challenges, browsers' sessions, and names that are no addresses.
    ///
    /// SQLite can't change a CHECK in place, so the table of identifiers is made anew.
    static let passkeys = Migration(
        version: 21,
        name: "passkeys",
        sqlite: """
            CREATE TABLE identifiers_of_two_kinds (
                kind TEXT NOT NULL CHECK (kind IN ('email', 'username')),
                value TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                is_verified INTEGER NOT NULL CHECK (is_verified IN (0, 1)),
                PRIMARY KEY (kind, value)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO identifiers_of_two_kinds (kind, value, account, is_verified)
            SELECT kind, value, account, is_verified FROM identifiers;
            DROP TABLE identifiers;
            ALTER TABLE identifiers_of_two_kinds RENAME TO identifiers;
            CREATE INDEX identifiers_by_account ON identifiers (account);

            CREATE TABLE passkeys (
                id TEXT PRIMARY KEY NOT NULL,
                credential BLOB NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1023),
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                user_handle BLOB NOT NULL CHECK (length(user_handle) BETWEEN 1 AND 64),
                rp_id TEXT NOT NULL CHECK (length(rp_id) BETWEEN 1 AND 253),
                public_key BLOB NOT NULL CHECK (length(public_key) BETWEEN 32 AND 2048),
                sign_count INTEGER NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
                is_backup_eligible INTEGER NOT NULL CHECK (is_backup_eligible IN (0, 1)),
                is_backed_up INTEGER NOT NULL CHECK (is_backed_up IN (0, 1)),
                is_user_verified INTEGER NOT NULL CHECK (is_user_verified IN (0, 1)),
                transports TEXT NOT NULL CHECK (length(transports) <= 600),
                aaguid BLOB NOT NULL CHECK (length(aaguid) = 16),
                attestation_format TEXT NOT NULL CHECK (length(attestation_format) BETWEEN 1 AND 32),
                attestation_type TEXT NOT NULL CHECK (attestation_type IN ('none', 'self', 'basic', 'anonca')),
                is_attestation_trusted INTEGER NOT NULL CHECK (is_attestation_trusted IN (0, 1)),
                is_discoverable INTEGER CHECK (is_discoverable IN (0, 1)),
                label TEXT NOT NULL CHECK (length(label) <= 100),
                created_at INTEGER NOT NULL,
                last_used_at INTEGER,
                clone_signs INTEGER NOT NULL,
                CHECK (is_backed_up <= is_backup_eligible)
            ) STRICT;
            CREATE INDEX passkeys_by_account ON passkeys (account, created_at);

            -- What was asked for first has the lowest number: it is the first to go where too many are open.
            CREATE TABLE passkey_challenges (
                number INTEGER PRIMARY KEY NOT NULL,
                digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
                binding BLOB NOT NULL CHECK (length(binding) = 32),
                source BLOB NOT NULL CHECK (length(source) = 32),
                rp_id TEXT NOT NULL CHECK (length(rp_id) BETWEEN 1 AND 253),
                user_verification TEXT NOT NULL
                    CHECK (user_verification IN ('required', 'preferred', 'discouraged')),
                purpose TEXT NOT NULL CHECK (purpose IN ('registration', 'authentication')),
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                name TEXT CHECK (length(name) BETWEEN 1 AND 1280),
                user_handle BLOB CHECK (length(user_handle) BETWEEN 1 AND 64),
                algorithms TEXT CHECK (length(algorithms) BETWEEN 1 AND 200),
                attestation TEXT CHECK (attestation IN ('none', 'indirect', 'direct', 'enterprise')),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                CHECK (name IS NOT NULL OR (purpose = 'authentication' AND account IS NULL)),
                CHECK (
                    (purpose = 'registration') = (user_handle IS NOT NULL)
                    AND (purpose = 'registration') = (algorithms IS NOT NULL)
                    AND (purpose = 'registration') = (attestation IS NOT NULL)
                )
            ) STRICT;
            CREATE INDEX passkey_challenges_by_source ON passkey_challenges (source, number);
            CREATE INDEX passkey_challenges_by_binding ON passkey_challenges (binding);
            CREATE INDEX passkey_challenges_by_account ON passkey_challenges (account) WHERE account IS NOT NULL;
            CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);

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
            """
    )
}
