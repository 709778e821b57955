package import Audit
package import Kernel

/// The audit of the in-memory store.
package struct MemoryAuditStore: AuditStore {
    let connection: MemoryConnection

    package func chains(of node: String) async throws -> [String] {
        try await connection.read { Self.chains(of: node, in: $0) }
    }

    package func chains(of node: String, in transaction: borrowing Transaction) throws -> [String] {
        Self.chains(of: node, in: try transaction.draft().tables)
    }

    private static func chains(of node: String, in tables: MemoryTables) -> [String] {
        tables.audit.filter { !$1.isEmpty && ($0 == node || $0.hasPrefix(node + ".")) }.map(\.key)
    }

    package func head(of chain: String, in transaction: borrowing Transaction) throws -> AuditHead? {
        try transaction.draft().tables.audit[chain]?.last.map { AuditHead(number: $0.number, hash: $0.hash) }
    }

    package func hash(of chain: String, at number: Int64, in transaction: borrowing Transaction) throws -> Digest256? {
        let rows = try transaction.draft().tables.audit[chain] ?? []
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
        of chain: String,
        through number: Int64,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let draft = try transaction.draft()
        let gone = draft.tables.audit[chain]?.prefix(limit).prefix { $0.number <= number }.count ?? 0
        draft.tables.audit[chain]?.removeFirst(gone)
        return gone
    }

    package func rows(of chain: String, from number: Int64, limit: Int) async throws -> [AuditRow] {
        try await connection.read { tables in
            Array((tables.audit[chain] ?? []).drop { $0.number < number }.prefix(limit))
        }
    }

    package func newest(of chain: String, events: [String]) async throws -> AuditRow? {
        try await connection.read { tables in tables.audit[chain]?.last { events.contains($0.entry.event) } }
    }

    package func newest(of chain: String, limit: Int) async throws -> [AuditRow] {
        try await connection.read { tables in Array((tables.audit[chain] ?? []).reversed().prefix(limit)) }
    }

    package func newest(
        of chain: String,
        in numbers: ClosedRange<Int64>,
        matching filter: AuditFilter,
        limit: Int
    ) async throws -> [AuditRow] {
        try await connection.read { tables in
            let found = (tables.audit[chain] ?? []).reversed().lazy
                .filter { numbers.contains($0.number) && $0.entry.matches(filter) }
            return Array(found.prefix(limit))
        }
    }
}

extension AuditEntry {
    /// Whether the entry passes the filter.
    fileprivate func matches(_ filter: AuditFilter) -> Bool {
        let isNamed = filter.event.map { $0.hasSuffix(".") ? event.hasPrefix($0) : event == $0 } ?? true
        return isNamed && filter.subject.map { $0 == subject } ?? true && filter.account.map { $0 == account } ?? true
            && filter.since.map { at >= $0 } ?? true && filter.until.map { at <= $0 } ?? true
    }
}
