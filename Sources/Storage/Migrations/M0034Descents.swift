extension Migration {
    /// In which session everything was opened or set up, so that a remedy ends what descends from a sign-in, and no more.
    ///
    /// What was set up before is linked to none, and ends by account alone; a face is linked to the session of the
    /// enrolment that is on record. Consents of before are asked for again: nothing tells who gave them.
    static let descents = Migration(
        version: 34,
        name: "descents",
        sqlite: """
            -- With all that the origin itself descends from, so that a session in between may go. `by_means`: not opened out
            -- of the origin, but by a proof that was set up in it.
            CREATE TABLE session_origins (
                session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                origin TEXT NOT NULL CHECK (length(origin) = 36),
                by_means INTEGER NOT NULL CHECK (by_means IN (0, 1)),
                PRIMARY KEY (session, origin)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX session_origins_by_origin ON session_origins (origin);

            ALTER TABLE oauth_interactions ADD COLUMN origin TEXT CHECK (length(origin) = 36);
            ALTER TABLE oauth_codes ADD COLUMN origin TEXT CHECK (length(origin) = 36);
            ALTER TABLE device_authorizations ADD COLUMN origin TEXT CHECK (length(origin) = 36);
            ALTER TABLE passkeys ADD COLUMN origin TEXT CHECK (length(origin) = 36);
            ALTER TABLE devices ADD COLUMN origin TEXT CHECK (length(origin) = 36);
            ALTER TABLE devices ADD COLUMN credential_origin TEXT CHECK (length(credential_origin) = 36);
            ALTER TABLE device_keys ADD COLUMN origin TEXT CHECK (length(origin) = 36);
            ALTER TABLE push_tokens ADD COLUMN origin TEXT CHECK (length(origin) = 36);
            ALTER TABLE accounts ADD COLUMN password_origin TEXT CHECK (length(password_origin) = 36);
            ALTER TABLE enrolments ADD COLUMN origin TEXT CHECK (length(origin) = 36);
            -- How whoever set the face up had signed in.
            ALTER TABLE enrolments ADD COLUMN origin_methods TEXT CHECK (length(origin_methods) <= 200);
            UPDATE enrolments SET origin = (
                SELECT session FROM operations
                WHERE kind = 'enroll' AND state = 'closed' AND session IS NOT NULL
                    AND operations.account = enrolments.account AND operations.provider = enrolments.provider
                ORDER BY ended_at DESC LIMIT 1
            );
            UPDATE enrolments SET origin_methods = (SELECT methods FROM sessions WHERE id = origin)
                WHERE origin IS NOT NULL;

            CREATE TABLE oauth_consents_by_origin (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
                -- The session that it was given in; empty where there is none.
                origin TEXT NOT NULL CHECK (length(origin) IN (0, 36)),
                scopes TEXT NOT NULL CHECK (length(scopes) <= 8192),
                resources TEXT NOT NULL CHECK (length(resources) <= 65536),
                granted_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                PRIMARY KEY (account, client, origin)
            ) STRICT, WITHOUT ROWID;
            DROP TABLE oauth_consents;
            ALTER TABLE oauth_consents_by_origin RENAME TO oauth_consents;
            CREATE INDEX oauth_consents_by_expiry ON oauth_consents (expires_at);
            CREATE INDEX oauth_consents_by_client ON oauth_consents (client);
            """
    )
}
