extension Migration {
    /// The passkeys that sessions began with.
    static let sessionPasskeys = Migration(
        version: 22,
        name: "session passkeys",
        sqlite: """
            ALTER TABLE sessions ADD COLUMN passkey TEXT CHECK (length(passkey) = 36);
            """
    )
}
