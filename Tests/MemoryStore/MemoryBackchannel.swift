package import Kernel
package import OAuth
import Synchronization

/// Backchannel requests in memory: a store and its units of work in one.
///
/// A unit works on a copy, which is kept only if it succeeds; every fifth is run twice, as a group whose other unit
/// failed is (``UnitOfWork``).
package final class MemoryBackchannel: BackchannelStore, UnitOfWork {
    private typealias Rows = [Digest256: Row]

    private struct Row {
        var record: BackchannelRecord
        var dueAt: Instant?
        var expiresAt: Instant?
        var attempts = 0
        var lease: UUIDBits?
    }

    private struct State {
        var rows: Rows = [:]
        var units = 0
        var isDown = false
    }

    private final class Draft {
        var rows: Rows
        init(_ rows: Rows) { self.rows = rows }
    }

    private let state = Mutex(State())

    package init() {}

    /// While it is down no unit runs and nothing is read.
    package var isDown: Bool {
        get { state.withLock(\.isDown) }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Returns what is kept of that request.
    package func record(_ id: Digest256) -> BackchannelRecord? { state.withLock { $0.rows[id]?.record } }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try state.withLock { state in
            guard !state.isDown else { throw StoreError.unavailable(cause: "the test has taken it down") }
            state.units += 1
            if state.units.isMultiple(of: 5) { _ = try? body(Transaction(context: Draft(state.rows))) }
            let draft = Draft(state.rows)
            let value = try body(Transaction(context: draft))
            state.rows = draft.rows
            return value
        }
    }

    package func insert(_ record: BackchannelRecord, in transaction: borrowing Transaction) throws {
        let draft = try Self.draft(transaction)
        guard draft.rows.updateValue(Row(record: record), forKey: record.id) == nil else {
            throw StoreError.conflict(cause: "a request of that id")
        }
    }

    package func following(
        _ id: Digest256?,
        keptAfter instant: Instant,
        limit: Int
    ) async throws -> [BackchannelRecord] {
        try state.withLock { state in
            guard !state.isDown else { throw StoreError.unavailable(cause: "the test has taken it down") }
            let records = state.rows.values.map(\.record).filter { $0.keptUntil > instant }
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
        let draft = try Self.draft(transaction)
        guard let row = draft.rows[id], row.record.callback != nil, row.dueAt == nil else { return }
        draft.rows[id]?.dueAt = now
        draft.rows[id]?.expiresAt = expiresAt
    }

    package func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedNotice] {
        let draft = try Self.draft(transaction)
        var claimed: [String: Int] = [:]
        let due = draft.rows.values.filter { $0.dueAt.map { $0 <= now } ?? false }
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
            draft.rows[row.record.id]?.lease = lease.token
            draft.rows[row.record.id]?.dueAt = lease.until
        }
        return due.map { row in
            QueuedNotice(request: row.record, attempts: row.attempts, expiresAt: row.expiresAt ?? now)
        }
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try Self.draft(transaction).rows.values.compactMap(\.dueAt).min()
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
        let draft = try Self.draft(transaction)
        let old = draft.rows.values.map(\.record).filter { $0.keptUntil < instant }
            .sorted { $0.keptUntil < $1.keptUntil }.prefix(limit)
        for record in old { draft.rows[record.id] = nil }
        return old.count
    }

    private func change(
        _ id: Digest256,
        lease: DeliveryLease,
        in transaction: borrowing Transaction,
        _ body: (inout Row) -> Void
    ) throws -> Bool {
        let draft = try Self.draft(transaction)
        guard var row = draft.rows[id], row.lease == lease.token else { return false }
        row.lease = nil
        body(&row)
        draft.rows[id] = row
        return true
    }

    private static func draft(_ transaction: borrowing Transaction) throws -> Draft {
        guard let draft = transaction.context(as: Draft.self) else { throw StoreError.foreignTransaction }
        return draft
    }
}
