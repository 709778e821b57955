extension Migration {
    /// What is counted and dropped by client: pushed requests and consents; the notices to one client, told apart from those to
    /// all others; and the name that one authentication context class has now.
    ///
    /// SQLite can't change a CHECK in place, so the column is made anew.
    static let authorizationTerms = Migration(
        version: 29,
        name: "authorization terms",
        sqlite: """
            CREATE INDEX oauth_requests_by_client ON oauth_requests (client, expires_at);
            CREATE INDEX oauth_consents_by_client ON oauth_consents (client);
            CREATE INDEX backchannel_notices_by_client ON backchannel_requests (client, notice_due_at)
                WHERE notice_due_at IS NOT NULL;

            ALTER TABLE oauth_interactions RENAME COLUMN context_class TO earlier_class;
            ALTER TABLE oauth_interactions ADD COLUMN context_class TEXT
                CHECK (context_class IN ('face', 'passkey', 'face-and-passkey'));
            UPDATE oauth_interactions SET context_class = REPLACE(earlier_class, '+', '-and-')
                WHERE earlier_class IS NOT NULL;
            ALTER TABLE oauth_interactions DROP COLUMN earlier_class;
            """
    )
}
