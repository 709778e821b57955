package import Audit
package import Kernel

/// The audit store.
package struct SQLAuditStore: AuditStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func head(of node: String, in transaction: borrowing Transaction) throws -> AuditHead? {
        try transaction.connection().first(
            "SELECT number, hash FROM audit WHERE node = ? ORDER BY number DESC LIMIT 1",
            [node.column]
        ) { AuditHead(number: try $0.integer("number"), hash: try $0.digest("hash")) }
    }

    package func hash(of node: String, at number: Int64, in transaction: borrowing Transaction) throws -> Digest256? {
        try transaction.connection().first(
            """
            SELECT CASE number WHEN ? THEN hash ELSE prev_hash END AS hash FROM audit
            WHERE node = ? AND number IN (?, ?) ORDER BY number LIMIT 1
            """,
            [number.column, node.column, number.column, (number + 1).column]
        ) { try $0.digest("hash") }
    }

    package func append(_ row: AuditRow, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO audit (node, number, at, fact, subject, account, detail, prev_hash, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                row.node.column, row.number.column, row.entry.at.column, row.entry.event.column,
                row.entry.subject.column,
                row.entry.account.column(\.column), row.entry.detail.column(\.column), row.previousHash.column,
                row.hash.column,
            ]
        )
    }

    package func delete(
        of node: String,
        through number: Int64,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try transaction.connection().change(
            """
            DELETE FROM audit WHERE node = ? AND number IN (
                SELECT number FROM audit WHERE node = ? AND number <= ? ORDER BY number LIMIT ?
            )
            """,
            [node.column, node.column, number.column, limit.column]
        )
    }

    package func rows(of node: String, from number: Int64, limit: Int) async throws -> [AuditRow] {
        try await database.read { reader in
            try reader.all(
                "SELECT \(Self.columns) FROM audit WHERE node = ? AND number >= ? ORDER BY number LIMIT ?",
                [node.column, number.column, limit.column]
            ) { try AuditRow(node: node, &$0) }
        }
    }

    package func newest(of node: String, events: [String]) async throws -> AuditRow? {
        try await database.read { reader in
            try reader.first(
                """
                SELECT \(Self.columns) FROM audit
                WHERE node = ? AND fact IN (\(events.placeholders)) ORDER BY number DESC LIMIT 1
                """,
                ([node] + events).map(\.column)
            ) { try AuditRow(node: node, &$0) }
        }
    }

    package func newest(of node: String, limit: Int) async throws -> [AuditRow] {
        try await database.read { reader in try Self.newest(of: node, limit: limit, in: reader) }
    }

    static func newest(of node: String, limit: Int, in reader: SQLConnection) throws -> [AuditRow] {
        try reader.all(
            "SELECT \(columns) FROM audit WHERE node = ? ORDER BY number DESC LIMIT ?",
            [node.column, limit.column]
        ) { try AuditRow(node: node, &$0) }
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
                account: try row.optionalID("account"),
                detail: try row.optionalText("detail")
            ),
            previousHash: try row.digest("prev_hash"),
            hash: try row.digest("hash")
        )
    }
}
