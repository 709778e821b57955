import OAuth

/// The columns `client`, `scopes` and `resources`.
extension RequestedAccess {
    /// The values of the columns, in this order.
    var columns: [ColumnValue] {
        // A URI has no space (RFC 3986 §2).
        [clientID.column, scopes.text.column, resources.spaced.column]
    }

    init(_ columns: inout ColumnReader) throws {
        self.init(
            clientID: try columns.text("client"),
            scopes: ScopeSet(Set(try columns.words("scopes"))),
            resources: try columns.words("resources")
        )
    }
}
