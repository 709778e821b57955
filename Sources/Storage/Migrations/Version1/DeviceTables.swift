extension Migration {
    /// Links of devices to accounts, and registered devices with their keys, counts, challenges and push tokens.
    static let deviceTables = """
        -- `methods`: how the sign-in that linked the device proved its person.
        CREATE TABLE device_links (
            cookie BLOB NOT NULL CHECK (length(cookie) = 32),
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            client TEXT NOT NULL,
            device TEXT NOT NULL,
            methods TEXT NOT NULL DEFAULT '' CHECK (length(methods) <= 200),
            created_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            revoked_at INTEGER,
            PRIMARY KEY (cookie, account, client)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX device_links_by_account ON device_links (account, device);
        CREATE INDEX device_links_by_expiry ON device_links (expires_at);
        CREATE INDEX revoked_device_links ON device_links (revoked_at) WHERE revoked_at IS NOT NULL;

        -- `is_credential_unproven`: the credential was given to a session that had not proved to be on the device.
        CREATE TABLE devices (
            id TEXT PRIMARY KEY NOT NULL,
            account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            client TEXT NOT NULL,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
            label TEXT NOT NULL DEFAULT '' CHECK (length(label) <= 100),
            platform TEXT CHECK (platform IN ('ios', 'android')),
            credential BLOB UNIQUE CHECK (length(credential) = 32),
            is_credential_unproven INTEGER NOT NULL DEFAULT 0 CHECK (is_credential_unproven IN (0, 1)),
            origin TEXT CHECK (length(origin) = 36),
            credential_origin TEXT CHECK (length(credential_origin) = 36),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER,
            expires_at INTEGER NOT NULL,
            revoked_at INTEGER,
            UNIQUE (client, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX devices_by_account ON devices (account) WHERE account IS NOT NULL;
        CREATE INDEX devices_by_expiry ON devices (expires_at);
        CREATE INDEX revoked_devices ON devices (revoked_at) WHERE revoked_at IS NOT NULL;
        CREATE INDEX ownerless_devices ON devices (created_at) WHERE account IS NULL;

        CREATE TABLE device_keys (
            device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            public_key TEXT NOT NULL
                CHECK (length(public_key) = 87 OR length(public_key) BETWEEN 392 AND 1424),
            last_count INTEGER NOT NULL,
            biometric TEXT CHECK (biometric IN ('face', 'fingerprint')),
            origin TEXT CHECK (length(origin) = 36),
            created_at INTEGER NOT NULL,
            uses INTEGER NOT NULL,
            clone_signs INTEGER NOT NULL,
            last_used_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE device_counts (
            device TEXT NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            count INTEGER NOT NULL,
            PRIMARY KEY (device, count)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE device_challenges (
            device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            challenge BLOB NOT NULL CHECK (length(challenge) = 32),
            expires_at INTEGER NOT NULL,
            used_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE push_tokens (
            device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            sealed TEXT NOT NULL CHECK (length(sealed) BETWEEN 39 AND 5600),
            origin TEXT CHECK (length(origin) = 36),
            updated_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
