extension Migration {
    /// The keys that sessions' tokens are bound to, by their thumbprints (RFC 9449, RFC 7638).
    static let proofKeys = Migration(
        version: 20,
        name: "proof keys",
        sqlite: """
            ALTER TABLE sessions ADD COLUMN proof_key BLOB CHECK (length(proof_key) = 32);
            """
    )
}
