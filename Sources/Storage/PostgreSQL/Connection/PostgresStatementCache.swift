import Kernel

/// A statement with the name under which one connection prepares it.
final class PostgresStatement {
    let text: PostgresStatementText
    /// Empty for the unnamed statement, which each use prepares again.
    let name: String
    /// Whether the server knows the statement, or will once what is queued was sent.
    private(set) var isPrepared = false

    init(_ sql: String, name: String) {
        text = PostgresStatementText(sql)
        self.name = name
    }

    func notePreparation(succeeded: Bool) { isPrepared = succeeded && !name.isEmpty }
}

/// The statements of one connection, by the text of the stores.
struct PostgresStatementCache {
    /// The number of statements that get a name, which bounds the memory of the server.
    ///
    /// Lists of any length get none, so that there are as many statements as the stores have.
    private let capacity: Int
    private var known: [String: PostgresStatement] = [:]

    init(capacity: Int = 1000) { self.capacity = capacity }

    mutating func statement(for sql: String) -> PostgresStatement {
        if let statement = known[sql] { return statement }
        guard known.count < capacity, !sql.hasListOfAnyLength else { return PostgresStatement(sql, name: "") }
        let statement = PostgresStatement(sql, name: "s\(known.count)")
        known[sql] = statement
        return statement
    }
}
