extension Migration {
    /// Enrolments and approvals are started from a session; logins are not.
    static let operationStarters = Migration(
        version: 7,
        name: "operation starters",
        sqlite: """
            ALTER TABLE operations ADD COLUMN started_by TEXT
                CHECK ((started_by IS NULL) = (kind = 'login'));
            """
    )
}
