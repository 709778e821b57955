import OAuth

/// The authentication of a person, in the columns `methods`, `authenticated_at`, `passkey` and `origin`.
extension AuthenticationContext {
    var columns: [ColumnValue] {
        [methods.spaced.column, at.column, passkey.column(\.column), session.column(\.column)]
    }

    init(_ columns: inout ColumnReader) throws {
        self.init(
            methods: try columns.words("methods"),
            at: try columns.instant("authenticated_at"),
            passkey: try columns.optionalID("passkey"),
            session: try columns.optionalID("origin")
        )
    }
}
