import Kernel
import Synchronization

@testable import Audit

/// An audit in memory whose rows anybody can tamper with, as somebody with the database file can.
final class MemoryAuditStore: AuditStore {
    private let rows = Mutex<[AuditRow]>([])

    func chains(of node: String) async throws -> [String] { names(of: node) }

    func chains(of node: String, in transaction: borrowing Transaction) throws -> [String] { names(of: node) }

    private func names(of node: String) -> [String] {
        Array(Set(all.map(\.node).filter { $0 == node || $0.hasPrefix(node + ".") }))
    }

    func head(of chain: String, in transaction: borrowing Transaction) throws -> AuditHead? {
        sorted(chain).last.map { AuditHead(number: $0.number, hash: $0.hash) }
    }

    func hash(of chain: String, at number: Int64, in transaction: borrowing Transaction) throws -> Digest256? {
        let row = sorted(chain).first { $0.number == number || $0.number == number + 1 }
        return row?.number == number ? row?.hash : row?.previousHash
    }

    func append(_ row: AuditRow, in transaction: borrowing Transaction) throws { rows.withLock { $0.append(row) } }

    func rows(of chain: String, from number: Int64, limit: Int) async throws -> [AuditRow] {
        Array(sorted(chain).drop { $0.number < number }.prefix(limit))
    }

    func delete(
        of chain: String,
        through number: Int64,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let gone = Set(sorted(chain).filter { $0.number <= number }.prefix(limit).map(\.number))
        rows.withLock { $0.removeAll { $0.node == chain && gone.contains($0.number) } }
        return gone.count
    }

    func newest(of chain: String, events: [String]) async throws -> AuditRow? {
        sorted(chain).last { events.contains($0.entry.event) }
    }

    func newest(of chain: String, limit: Int) async throws -> [AuditRow] {
        Array(sorted(chain).reversed().prefix(limit))
    }

    func newest(
        of chain: String,
        in numbers: ClosedRange<Int64>,
        matching filter: AuditFilter,
        limit: Int
    ) async throws -> [AuditRow] {
        let found = sorted(chain).reversed().filter { row in
            numbers.contains(row.number) && filter.subject.map { $0 == row.entry.subject } ?? true
                && filter.since.map { row.entry.at >= $0 } ?? true && filter.until.map { row.entry.at <= $0 } ?? true
        }
        return Array(found.prefix(limit))
    }

    func tamper(_ body: (inout [AuditRow]) -> Void) { rows.withLock { body(&$0) } }

    var all: [AuditRow] { rows.withLock { $0 } }

    private func sorted(_ chain: String) -> [AuditRow] {
        rows.withLock { $0 }.filter { $0.node == chain }.sorted { $0.number < $1.number }
    }
}

extension AuditRow {
    /// Returns the row with some of it changed.
    func with(
        node: String? = nil,
        number: Int64? = nil,
        entry: AuditEntry? = nil,
        previousHash: Digest256? = nil,
        hash: Digest256? = nil
    ) -> AuditRow {
        AuditRow(
            node: node ?? self.node,
            number: number ?? self.number,
            entry: entry ?? self.entry,
            previousHash: previousHash ?? self.previousHash,
            hash: hash ?? self.hash
        )
    }
}

extension AuditEntry {
    static func sample(_ number: Int = 1, detail: String? = "approved") -> AuditEntry {
        AuditEntry(
            at: Instant(milliseconds: 1_800_000_000_000 + Int64(number)),
            event: "operation.redeemed",
            subject: "row \(number)",
            account: AccountID(UUIDBits(high: 0xA, low: UInt64(number))),
            detail: detail
        )
    }
}
