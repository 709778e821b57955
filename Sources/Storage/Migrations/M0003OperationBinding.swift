extension Migration {
    /// What the page behind a login's link shows and asks.
    static let operationBinding = Migration(
        version: 3,
        name: "operation binding",
        sqlite: """
            ALTER TABLE operations ADD COLUMN mode TEXT NOT NULL DEFAULT 'same-device'
                CHECK (mode IN ('same-device', 'cross-device'));
            ALTER TABLE operations ADD COLUMN pairing_number INTEGER CHECK (pairing_number BETWEEN 0 AND 99);
            ALTER TABLE operations ADD COLUMN wrong_numbers INTEGER NOT NULL DEFAULT 0
                CHECK (wrong_numbers BETWEEN 0 AND 3);
            ALTER TABLE operations ADD COLUMN origin_email TEXT CHECK (length(origin_email) <= 100);
            ALTER TABLE operations ADD COLUMN origin_address TEXT CHECK (length(origin_address) <= 100);
            ALTER TABLE operations ADD COLUMN origin_agent TEXT CHECK (length(origin_agent) <= 100);
            """
    )
}
