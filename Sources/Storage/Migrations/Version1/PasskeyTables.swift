extension Migration {
    /// Passkeys, and the challenges of their ceremonies.
    static let passkeyTables = """
        -- `public_key`: at most 2592 bytes of ML-DSA-87 with their COSE parameters.
        CREATE TABLE passkeys (
            id TEXT PRIMARY KEY NOT NULL,
            credential BLOB NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1023),
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            user_handle BLOB NOT NULL CHECK (length(user_handle) BETWEEN 1 AND 64),
            rp_id TEXT NOT NULL CHECK (length(rp_id) BETWEEN 1 AND 253),
            public_key BLOB NOT NULL CHECK (length(public_key) BETWEEN 32 AND 4096),
            sign_count INTEGER NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
            is_backup_eligible INTEGER NOT NULL CHECK (is_backup_eligible IN (0, 1)),
            is_backed_up INTEGER NOT NULL CHECK (is_backed_up IN (0, 1)),
            is_user_verified INTEGER NOT NULL CHECK (is_user_verified IN (0, 1)),
            transports TEXT NOT NULL CHECK (length(transports) <= 600),
            aaguid BLOB NOT NULL CHECK (length(aaguid) = 16),
            attestation_format TEXT NOT NULL CHECK (length(attestation_format) BETWEEN 1 AND 32),
            attestation_type TEXT NOT NULL
                CHECK (attestation_type = 'none' OR attestation_type = 'self' OR attestation_type = 'basic'
                    OR attestation_type = 'anonca'),
            is_attestation_trusted INTEGER NOT NULL CHECK (is_attestation_trusted IN (0, 1)),
            attestation_doubt TEXT CHECK (length(attestation_doubt) BETWEEN 1 AND 64),
            serial_number BLOB CHECK (length(serial_number) BETWEEN 1 AND 64),
            is_discoverable INTEGER CHECK (is_discoverable IN (0, 1)),
            label TEXT NOT NULL CHECK (length(label) <= 100),
            origin TEXT CHECK (length(origin) = 36),
            created_at INTEGER NOT NULL,
            counts_from INTEGER NOT NULL CHECK (counts_from >= created_at),
            last_used_at INTEGER,
            clone_signs INTEGER NOT NULL,
            CHECK (is_backed_up <= is_backup_eligible)
        ) STRICT;
        CREATE INDEX passkeys_by_account ON passkeys (account, created_at);

        -- The oldest has the lowest number: it is the first to go where too many are open.
        CREATE TABLE passkey_challenges (
            number INTEGER PRIMARY KEY NOT NULL,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            binding BLOB NOT NULL CHECK (length(binding) = 32),
            source BLOB NOT NULL CHECK (length(source) = 32),
            rp_id TEXT NOT NULL CHECK (length(rp_id) BETWEEN 1 AND 253),
            user_verification TEXT NOT NULL
                CHECK (user_verification = 'required' OR user_verification = 'preferred'
                    OR user_verification = 'discouraged'),
            purpose TEXT NOT NULL CHECK (purpose IN ('registration', 'authentication')),
            account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            name TEXT CHECK (length(name) BETWEEN 1 AND 1280),
            user_handle BLOB CHECK (length(user_handle) BETWEEN 1 AND 64),
            algorithms TEXT CHECK (length(algorithms) BETWEEN 1 AND 200),
            resident_key TEXT
                CHECK (resident_key = 'required' OR resident_key = 'preferred' OR resident_key = 'discouraged'),
            attestation TEXT
                CHECK (attestation = 'none' OR attestation = 'indirect' OR attestation = 'direct'
                    OR attestation = 'enterprise'),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            CHECK (name IS NOT NULL OR (purpose = 'authentication' AND account IS NULL)),
            CHECK (
                (purpose = 'registration') = (user_handle IS NOT NULL)
                AND (purpose = 'registration') = (algorithms IS NOT NULL)
                AND (purpose = 'registration') = (resident_key IS NOT NULL)
                AND (purpose = 'registration') = (attestation IS NOT NULL)
            )
        ) STRICT;
        CREATE INDEX passkey_challenges_by_source ON passkey_challenges (source, number);
        CREATE INDEX passkey_challenges_by_binding ON passkey_challenges (binding);
        CREATE INDEX passkey_challenges_by_account ON passkey_challenges (account) WHERE account IS NOT NULL;
        CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
        """
}
