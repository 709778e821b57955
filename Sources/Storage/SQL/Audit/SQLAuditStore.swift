package import Audit
package import Kernel

/// The audit store.
package struct SQLAuditStore: AuditStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func chains(of node: String) async throws -> [String] {
        try await database.read { reader in try Self.chains(of: node, in: reader) }
    }

    package func chains(of node: String, in transaction: borrowing Transaction) throws -> [String] {
        try Self.chains(of: node, in: transaction.connection())
    }

    /// Steps from one name to the next through the primary key: a `DISTINCT` would read every row.
    static func chains(of node: String, in reader: SQLConnection) throws -> [String] {
        try reader.all(
            """
            WITH RECURSIVE lane (node) AS (
                SELECT (SELECT node FROM audit WHERE node >= ? AND node < ? ORDER BY node LIMIT 1)
                UNION ALL
                SELECT (
                    SELECT audit.node FROM audit WHERE audit.node > lane.node AND audit.node < ?
                    ORDER BY audit.node LIMIT 1
                ) FROM lane WHERE lane.node IS NOT NULL
            )
            SELECT node FROM lane WHERE node IS NOT NULL
            UNION ALL SELECT node FROM (SELECT node FROM audit WHERE node = ? LIMIT 1) AS own
            """,
            // The slash is the character after the full stop.
            ["\(node).", "\(node)/", "\(node)/", node].map(\.column)
        ) { try $0.text("node") }
    }

    package func head(of chain: String, in transaction: borrowing Transaction) throws -> AuditHead? {
        let connection = try transaction.connection()
        if let known = connection.auditHeads[chain] { return known }
        let head = try connection.first(
            "SELECT number, hash FROM audit WHERE node = ? ORDER BY number DESC LIMIT 1",
            [chain.column]
        ) { AuditHead(number: try $0.integer("number"), hash: try $0.digest("hash")) }
        connection.auditHeads[chain] = head
        return head
    }

    /// Takes what the connection has committed last for granted: a row after an outdated one is refused by its number.
    package func headToAppendTo(of chain: String, in transaction: borrowing Transaction) throws -> AuditHead? {
        let connection = try transaction.connection()
        if let known = connection.auditHeads[chain] ?? connection.committedAuditHeads[chain] { return known }
        return try head(of: chain, in: transaction)
    }

    package func hash(of chain: String, at number: Int64, in transaction: borrowing Transaction) throws -> Digest256? {
        try transaction.connection().first(
            """
            SELECT CASE number WHEN ? THEN hash ELSE prev_hash END AS hash FROM audit
            WHERE node = ? AND number IN (?, ?) ORDER BY number LIMIT 1
            """,
            [number.column, chain.column, number.column, (number + 1).column]
        ) { try $0.digest("hash") }
    }

    /// Ids in the audit keep their outside form, as its texts have them, so that a row's hash is checked without the
    /// database's mask.
    package func append(_ row: AuditRow, in transaction: borrowing Transaction) throws {
        let connection = try transaction.connection()
        try connection.write(
            """
            INSERT INTO audit (node, number, at, fact, subject, account, detail, prev_hash, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                row.node.column, row.number.column, row.entry.at.column, row.entry.event.column,
                row.entry.subject.column,
                row.entry.account.column(\.bits.column), row.entry.detail.column(\.column), row.previousHash.column,
                row.hash.column,
            ]
        )
        connection.auditHeads[row.node] = AuditHead(number: row.number, hash: row.hash)
    }

    package func delete(
        of chain: String,
        through number: Int64,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let connection = try transaction.connection()
        connection.auditHeads[chain] = nil
        return try connection.change(
            """
            DELETE FROM audit WHERE node = ? AND number IN (
                SELECT number FROM audit WHERE node = ? AND number <= ? ORDER BY number LIMIT ?
            )
            """,
            [chain.column, chain.column, number.column, limit.column]
        )
    }

    package func rows(of chain: String, from number: Int64, limit: Int) async throws -> [AuditRow] {
        try await database.read { reader in
            try reader.all(
                "SELECT \(Self.columns) FROM audit WHERE node = ? AND number >= ? ORDER BY number LIMIT ?",
                [chain.column, number.column, limit.column]
            ) { try AuditRow(node: chain, &$0) }
        }
    }

    package func newest(of chain: String, events: [String]) async throws -> AuditRow? {
        try await database.read { reader in
            try reader.first(
                """
                SELECT \(Self.columns) FROM audit
                WHERE node = ? AND fact IN (\(events.placeholders)) ORDER BY number DESC LIMIT 1
                """,
                ([chain] + events).map(\.column)
            ) { try AuditRow(node: chain, &$0) }
        }
    }

    package func newest(of chain: String, limit: Int) async throws -> [AuditRow] {
        try await database.read { reader in try Self.newest(of: chain, limit: limit, in: reader) }
    }

    package func newest(
        of chain: String,
        in numbers: ClosedRange<Int64>,
        matching filter: AuditFilter,
        limit: Int
    ) async throws -> [AuditRow] {
        let conditions = filter.conditions
        let sql = """
            SELECT \(Self.columns) FROM audit
            WHERE node = ? AND number >= ? AND number <= ?\(conditions.text) ORDER BY number DESC LIMIT ?
            """
        let range = [numbers.lowerBound.column, numbers.upperBound.column]
        let values = [chain.column] + range + conditions.values + [limit.column]
        return try await database.read { reader in try reader.all(sql, values) { try AuditRow(node: chain, &$0) } }
    }

    static func newest(of chain: String, limit: Int, in reader: SQLConnection) throws -> [AuditRow] {
        try reader.all(
            "SELECT \(columns) FROM audit WHERE node = ? ORDER BY number DESC LIMIT ?",
            [chain.column, limit.column]
        ) { try AuditRow(node: chain, &$0) }
    }

    static func newestOfEachChain(of node: String, limit: Int, in reader: SQLConnection) throws -> [AuditRow] {
        try chains(of: node, in: reader).flatMap { try newest(of: $0, limit: limit, in: reader) }
    }

    private static let columns = "number, at, fact, subject, account, detail, prev_hash, hash"
}

extension AuditRow {
    fileprivate init(node: String, _ row: inout ColumnReader) throws {
        self.init(
            node: node,
            number: try row.integer("number"),
            entry: AuditEntry(
                at: try row.instant("at"),
                event: try row.text("fact"),
                subject: try row.text("subject"),
                account: try row.optionalUUID("account").map { AccountID($0) },
                detail: try row.optionalText("detail")
            ),
            previousHash: try row.digest("prev_hash"),
            hash: try row.digest("hash")
        )
    }
}

extension AuditFilter {
    /// The filter as further conditions, and the values bound in them.
    fileprivate var conditions: (text: String, values: [ColumnValue]) {
        var (text, values) = ("", [ColumnValue]())
        func add(_ condition: String, _ more: ColumnValue...) {
            text += " AND \(condition)"
            values += more
        }
        if let event {
            if event.hasSuffix(".") {
                // The slash is the character after the full stop.
                add("fact >= ? AND fact < ?", event.column, (String(event.dropLast()) + "/").column)
            } else {
                add("fact = ?", event.column)
            }
        }
        if let subject { add("subject = ?", subject.column) }
        if let account { add("account = ?", account.bits.column) }
        if let since { add("at >= ?", since.column) }
        if let until { add("at <= ?", until.column) }
        return (text, values)
    }
}
