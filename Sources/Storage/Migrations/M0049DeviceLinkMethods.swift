extension Migration {
    /// A linked device keeps how the sign-in proved the person that has linked it.
    ///
    /// What the links of before began with is not known, so that they prove no more than a password does.
    static let deviceLinkMethods = Migration(
        version: 49,
        name: "how devices were linked",
        sqlite: """
            ALTER TABLE device_links ADD COLUMN methods TEXT NOT NULL DEFAULT '' CHECK (length(methods) <= 200);
            """
    )
}
