extension Migration {
    /// The daemons that share a PostgreSQL database.
    ///
    /// `lease_until`: by the server's clock. After that time another daemon may follow this one's operations.
    /// `adopted_by`: the daemon that does.
    static let nodeTables = """
        CREATE TABLE nodes (
            name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 40),
            life TEXT NOT NULL,
            version TEXT NOT NULL CHECK (length(version) <= 100),
            started_at INTEGER NOT NULL,
            lease_until INTEGER NOT NULL,
            adopted_by TEXT CHECK (adopted_by IS NULL OR adopted_by <> name)
        ) STRICT;
        """
}
