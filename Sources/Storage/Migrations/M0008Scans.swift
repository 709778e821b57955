extension Migration {
    /// Which operation each scan at a provider is of: none is of two.
    static let scans = Migration(
        version: 8,
        name: "scans",
        sqlite: """
            CREATE TABLE scans (
                scan BLOB PRIMARY KEY NOT NULL CHECK (length(scan) = 32),
                operation TEXT NOT NULL REFERENCES operations (id) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX scans_by_operation ON scans (operation);
            """
    )
}
