extension Migration {
    /// An account's own operations are found by an index.
    ///
    /// Written when an operation ends, never at a start, and not for those that came to nothing: a start costs no page of
    /// it, and a stranger's starts don't fill it.
    static let operationsOfAccounts = Migration(
        version: 6,
        name: "operations of accounts",
        sqlite: """
            CREATE INDEX operations_of_accounts ON operations (account, created_at DESC, id)
                WHERE account IS NOT NULL AND ended_at IS NOT NULL
                AND failure IS NOT 'expired' AND failure IS NOT 'canceled' AND failure IS NOT 'superseded';
            """
    )
}
