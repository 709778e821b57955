package import Audit
package import Kernel

/// The audit of the in-memory store.
package struct MemoryAuditStore: AuditStore {
    let connection: MemoryConnection

    package func head(of node: String, in transaction: borrowing Transaction) throws -> AuditHead? {
        try transaction.draft().tables.audit[node]?.last.map { AuditHead(number: $0.number, hash: $0.hash) }
    }

    package func hash(of node: String, at number: Int64, in transaction: borrowing Transaction) throws -> Digest256? {
        let rows = try transaction.draft().tables.audit[node] ?? []
        let row = rows.first { $0.number == number || $0.number == number + 1 }
        return row?.number == number ? row?.hash : row?.previousHash
    }

    package func append(_ row: AuditRow, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard draft.tables.audit[row.node]?.last.map({ $0.number < row.number }) ?? true else {
            throw StoreError.conflict(cause: "there is such a row")
        }
        draft.tables.audit[row.node, default: []].append(row)
    }

    package func delete(
        of node: String,
        through number: Int64,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let draft = try transaction.draft()
        let gone = draft.tables.audit[node]?.prefix(limit).prefix { $0.number <= number }.count ?? 0
        draft.tables.audit[node]?.removeFirst(gone)
        return gone
    }

    package func rows(of node: String, from number: Int64, limit: Int) async throws -> [AuditRow] {
        try await connection.read { tables in
            Array((tables.audit[node] ?? []).drop { $0.number < number }.prefix(limit))
        }
    }

    package func newest(of node: String, events: [String]) async throws -> AuditRow? {
        try await connection.read { tables in tables.audit[node]?.last { events.contains($0.entry.event) } }
    }

    package func newest(of node: String, limit: Int) async throws -> [AuditRow] {
        try await connection.read { tables in Array((tables.audit[node] ?? []).reversed().prefix(limit)) }
    }
}
