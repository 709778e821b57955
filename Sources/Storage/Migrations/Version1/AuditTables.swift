extension Migration {
    /// The audit chain, and the mark of the root key that belongs to the database.
    static let auditTables = """
        CREATE TABLE audit (
            node TEXT NOT NULL,
            number INTEGER NOT NULL,
            at INTEGER NOT NULL,
            fact TEXT NOT NULL,
            subject TEXT NOT NULL,
            account TEXT,
            detail TEXT,
            prev_hash BLOB NOT NULL CHECK (length(prev_hash) = 32),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            PRIMARY KEY (node, number)
        ) STRICT, WITHOUT ROWID;

        -- One row, from the first start with keys on. `id_mask`: the key that hides parts of ids outside, encrypted, where
        -- ids are of version 8.
        CREATE TABLE key_mark (
            id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
            mark BLOB NOT NULL CHECK (length(mark) = 32),
            recorded_at INTEGER NOT NULL,
            sealing_key TEXT,
            id_mask BLOB
        ) STRICT;
        """
}
