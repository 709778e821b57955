package import Kernel
package import OAuth
import Synchronization

/// Backchannel requests in memory: a store and its units of work in one.
package final class MemoryBackchannel: BackchannelStore, UnitOfWork {
    private typealias Rows = [Digest256: Row]

    private struct Row {
        var record: BackchannelRecord
        var dueAt: Instant?
        var expiresAt: Instant?
        var attempts = 0
        var lease: UUIDBits?
    }

    private let held = CopiedTables(Rows())
    private let down = Mutex(false)

    package init() {}

    /// While it is down no unit runs and nothing is read.
    package var isDown: Bool {
        get { down.withLock(\.self) }
        set { down.withLock { $0 = newValue } }
    }

    /// Returns what is kept of that request.
    package func record(_ id: Digest256) -> BackchannelRecord? { held.withTables { $0[id]?.record } }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try requireUp()
        return try held.run(body)
    }

    private func requireUp() throws {
        guard !isDown else { throw StoreError.unavailable(cause: "the test has taken it down") }
    }

    package func insert(_ record: BackchannelRecord, in transaction: borrowing Transaction) throws {
        let draft = try held.draft(transaction)
        guard draft.tables.updateValue(Row(record: record), forKey: record.id) == nil else {
            throw StoreError.conflict(cause: "a request of that id")
        }
    }

    package func following(
        _ id: Digest256?,
        keptAfter instant: Instant,
        limit: Int
    ) async throws -> [BackchannelRecord] {
        try requireUp()
        return held.withTables { rows in
            let records = rows.values.map(\.record).filter { $0.keptUntil > instant }
            let sorted = records.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
            guard let id else { return Array(sorted.prefix(limit)) }
            return Array(sorted.filter { id.bytes.lexicographicallyPrecedes($0.id.bytes) }.prefix(limit))
        }
    }

    package func enqueue(
        _ id: Digest256,
        at now: Instant,
        expiresAt: Instant,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try held.draft(transaction)
        guard let row = draft.tables[id], row.record.callback != nil, row.dueAt == nil else { return }
        draft.tables[id]?.dueAt = now
        draft.tables[id]?.expiresAt = expiresAt
    }

    package func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedNotice] {
        let draft = try held.draft(transaction)
        var claimed: [String: Int] = [:]
        let due = draft.tables.values.filter { $0.dueAt.map { $0 <= now } ?? false }
            .sorted { left, right in
                let (first, second) = (left.dueAt ?? now, right.dueAt ?? now)
                return first == second
                    ? left.record.id.bytes.lexicographicallyPrecedes(right.record.id.bytes) : first < second
            }
            .filter { row in
                claimed[row.record.clientID, default: 0] += 1
                return claimed[row.record.clientID, default: 0] <= capacity.left(for: row.record.clientID)
            }
            .prefix(capacity.inAll)
        for row in due {
            draft.tables[row.record.id]?.lease = lease.token
            draft.tables[row.record.id]?.dueAt = lease.until
        }
        return due.map { row in
            QueuedNotice(request: row.record, attempts: row.attempts, expiresAt: row.expiresAt ?? now)
        }
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try held.draft(transaction).tables.values.compactMap(\.dueAt).min()
    }

    package func finish(_ id: Digest256, lease: DeliveryLease, in transaction: borrowing Transaction) throws -> Bool {
        try change(id, lease: lease, in: transaction) { row in
            (row.dueAt, row.expiresAt) = (nil, nil)
            row.record.callback = nil
        }
    }

    package func putOff(
        _ id: Digest256,
        to due: Instant,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try change(id, lease: lease, in: transaction) { row in
            row.dueAt = due
            row.attempts += 1
        }
    }

    package func purge(before instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        let draft = try held.draft(transaction)
        let old = draft.tables.values.map(\.record).filter { $0.keptUntil < instant }
            .sorted { $0.keptUntil < $1.keptUntil }.prefix(limit)
        for record in old { draft.tables[record.id] = nil }
        return old.count
    }

    private func change(
        _ id: Digest256,
        lease: DeliveryLease,
        in transaction: borrowing Transaction,
        _ body: (inout Row) -> Void
    ) throws -> Bool {
        let draft = try held.draft(transaction)
        guard var row = draft.tables[id], row.lease == lease.token else { return false }
        row.lease = nil
        body(&row)
        draft.tables[id] = row
        return true
    }
}
