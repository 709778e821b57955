extension Migration {
    /// What owners see of their devices, keys of two kinds with what is known of their use, challenges and push tokens.
    ///
    /// SQLite can't change a CHECK in place, so the table of keys is made anew.
    static let ownedDevices = Migration(
        version: 13,
        name: "owned devices",
        sqlite: """
            ALTER TABLE devices ADD COLUMN label TEXT NOT NULL DEFAULT '' CHECK (length(label) <= 100);
            ALTER TABLE devices ADD COLUMN platform TEXT CHECK (platform IN ('ios', 'android'));
            ALTER TABLE devices ADD COLUMN last_used_at INTEGER;
            CREATE INDEX ownerless_devices ON devices (created_at) WHERE account IS NULL;

            CREATE TABLE device_keys_of_two_kinds (
                device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
                public_key TEXT NOT NULL
                    CHECK (length(public_key) = 87 OR length(public_key) BETWEEN 392 AND 1424),
                last_count INTEGER NOT NULL,
                biometric TEXT CHECK (biometric IN ('face', 'fingerprint')),
                created_at INTEGER NOT NULL,
                uses INTEGER NOT NULL,
                clone_signs INTEGER NOT NULL,
                last_used_at INTEGER
            ) STRICT, WITHOUT ROWID;
            INSERT INTO device_keys_of_two_kinds
                (device, public_key, last_count, biometric, created_at, uses, clone_signs, last_used_at)
            SELECT device, public_key, last_count, NULL, devices.created_at, 0, 0, NULL
            FROM device_keys JOIN devices ON devices.id = device_keys.device;
            DROP TABLE device_keys;
            ALTER TABLE device_keys_of_two_kinds RENAME TO device_keys;

            CREATE TABLE device_challenges (
                device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
                challenge BLOB NOT NULL CHECK (length(challenge) = 32),
                expires_at INTEGER NOT NULL,
                used_at INTEGER
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE push_tokens (
                device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
                sealed TEXT NOT NULL CHECK (length(sealed) BETWEEN 39 AND 5600),
                updated_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """
    )
}
