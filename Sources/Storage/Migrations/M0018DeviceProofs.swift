extension Migration {
    /// What the device that started a login was proved by; nothing for logins without one, and for those before this.
    static let deviceProofs = Migration(
        version: 18,
        name: "device proofs",
        sqlite: """
            ALTER TABLE operations ADD COLUMN device_proof TEXT
                CHECK (device_proof IN ('cookie', 'credential', 'key'));
            """
    )
}
