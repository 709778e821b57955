extension Migration {
    /// An account's enrolments are found by an index of their own, and OAuth clients say what a person has to have proved.
    ///
    /// Logins are begun by anybody, and any number of them must not keep an enrolment from being found. The index is written
    /// when an enrolment ends, so that no login costs a page of it.
    static let enrolmentsOfAccounts = Migration(
        version: 37,
        name: "enrolments of accounts, and what clients require",
        sqlite: """
            CREATE INDEX enrolments_of_accounts ON operations (account, created_at DESC, id)
                WHERE kind = 'enroll' AND ended_at IS NOT NULL;

            ALTER TABLE oauth_clients ADD COLUMN requires TEXT NOT NULL DEFAULT 'face-or-passkey'
                CHECK (requires IN ('any', 'face-or-passkey', 'face', 'passkey', 'face-and-passkey'));
            """
    )
}
