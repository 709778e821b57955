extension Migration {
    /// A session keeps whether it has proved to be on its device, and a device whether its credential was given to one that
    /// had not.
    ///
    /// What sessions of before proved is not known. A credential that another session than the first was given may be one of
    /// a sign-in by password alone.
    static let provenDevices = Migration(
        version: 50,
        name: "proven devices",
        sqlite: """
            ALTER TABLE sessions ADD COLUMN is_device_proven INTEGER NOT NULL DEFAULT 0
                CHECK (is_device_proven IN (0, 1));
            ALTER TABLE devices ADD COLUMN is_credential_unproven INTEGER NOT NULL DEFAULT 0
                CHECK (is_credential_unproven IN (0, 1));
            UPDATE devices SET is_credential_unproven = 1
                WHERE (credential_origin IS NOT NULL AND credential_origin IS NOT origin)
                    OR (origin IS NULL AND account IS NOT NULL AND credential IS NOT NULL);
            """
    )
}
