extension Migration {
    /// What a person is asked to approve; fixed with the row.
    static let approvals = Migration(
        version: 9,
        name: "approvals",
        sqlite: """
            ALTER TABLE operations ADD COLUMN approval_message TEXT
                CHECK ((approval_message IS NOT NULL) = (kind = 'approve')
                    AND length(approval_message) BETWEEN 1 AND 200);
            ALTER TABLE operations ADD COLUMN approval_amount TEXT
                CHECK (approval_amount IS NULL
                    OR (approval_message IS NOT NULL AND length(approval_amount) BETWEEN 1 AND 17));
            ALTER TABLE operations ADD COLUMN approval_currency TEXT
                CHECK ((approval_currency IS NULL) = (approval_amount IS NULL)
                    AND (approval_currency IS NULL OR length(approval_currency) = 3));
            ALTER TABLE operations ADD COLUMN approval_payee TEXT
                CHECK (approval_payee IS NULL
                    OR (approval_message IS NOT NULL AND length(approval_payee) BETWEEN 1 AND 100));
            ALTER TABLE operations ADD COLUMN approval_payload BLOB
                CHECK (approval_payload IS NULL
                    OR (approval_message IS NOT NULL AND length(approval_payload) = 32));
            """
    )
}
