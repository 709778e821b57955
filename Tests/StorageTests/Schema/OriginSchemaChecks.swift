/// The values that the links from a session to what was set up in it refuse and take.
extension SchemaTests {
    static let originChecks =
        [
            ("accounts", "password_origin"),
            ("enrolments", "origin"),
            ("devices", "origin"),
            ("devices", "credential_origin"),
            ("device_keys", "origin"),
            ("push_tokens", "origin"),
            ("passkeys", "origin"),
            ("oauth_interactions", "origin"),
            ("oauth_codes", "origin"),
            ("device_authorizations", "origin"),
            ("session_origins", "origin"),
        ].map { table, column in Check(table: table, refused: "\(column) = 's'", taken: "\(column) = '\(session)'") }
        + [
            Check(
                table: "enrolments",
                refused: "origin_methods = hex(zeroblob(101))",
                taken: "origin_methods = 'face'"
            ),
            Check(table: "session_origins", refused: "by_means = 2", taken: "by_means = 1"),
            Check(table: "oauth_consents", refused: "origin = 's'", taken: "origin = '\(session)'"),
        ]

    private static let session = "7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11"
}
