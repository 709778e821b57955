extension Migration {
    /// The language that an account's owner is told in of what an operation came to; nothing where nobody is told.
    static let operationLanguage = Migration(
        version: 19,
        name: "operation language",
        sqlite: """
            ALTER TABLE operations ADD COLUMN language TEXT CHECK (length(language) BETWEEN 2 AND 35);
            """
    )
}
