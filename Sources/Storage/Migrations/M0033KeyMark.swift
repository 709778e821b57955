extension Migration {
    /// Which root key the database belongs to.
    static let keyMark = Migration(
        version: 33,
        name: "key mark",
        sqlite: """
            -- One row, from the first start with keys on.
            CREATE TABLE key_mark (
                id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
                mark BLOB NOT NULL CHECK (length(mark) = 32),
                recorded_at INTEGER NOT NULL
            ) STRICT;
            """
    )
}
