extension Migration {
    /// How the browser finds back to the app.
    static let returnURL = Migration(
        version: 5,
        name: "return url",
        sqlite: """
            ALTER TABLE operations ADD COLUMN return_url TEXT CHECK (length(return_url) <= 2048);
            ALTER TABLE operations ADD COLUMN return_code BLOB CHECK (length(return_code) = 32);
            """
    )
}
