extension Migration {
    /// By which passkey somebody has proved who they are to a client: with its row goes what was not redeemed yet.
    static let provenByPasskey = Migration(
        version: 30,
        name: "proven by passkey",
        sqlite: """
            ALTER TABLE oauth_interactions ADD COLUMN passkey TEXT REFERENCES passkeys (id) ON DELETE CASCADE;
            CREATE INDEX oauth_interactions_by_passkey ON oauth_interactions (passkey) WHERE passkey IS NOT NULL;
            ALTER TABLE oauth_codes ADD COLUMN passkey TEXT REFERENCES passkeys (id) ON DELETE CASCADE;
            CREATE INDEX oauth_codes_by_passkey ON oauth_codes (passkey) WHERE passkey IS NOT NULL;
            ALTER TABLE device_authorizations ADD COLUMN passkey TEXT REFERENCES passkeys (id) ON DELETE CASCADE;
            CREATE INDEX device_authorizations_by_passkey ON device_authorizations (passkey)
                WHERE passkey IS NOT NULL;
            """
    )
}
