extension Migration {
    /// Public keys of passkeys may be as long as those of ML-DSA-87: 2592 bytes and their COSE parameters.
    ///
    /// SQLite can't change a CHECK in place, so the column is made anew; the default is nobody's, and is overwritten here.
    static let longPasskeyKeys = Migration(
        version: 48,
        name: "long passkey keys",
        sqlite: """
            ALTER TABLE passkeys RENAME COLUMN public_key TO shorter_key;
            ALTER TABLE passkeys ADD COLUMN public_key BLOB NOT NULL
                DEFAULT x'0000000000000000000000000000000000000000000000000000000000000000'
                CHECK (length(public_key) BETWEEN 32 AND 4096);
            UPDATE passkeys SET public_key = shorter_key;
            ALTER TABLE passkeys DROP COLUMN shorter_key;
            """
    )
}
