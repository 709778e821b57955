package import Kernel
package import OAuth

/// A backchannel request with the notice about it.
package struct MemoryBackchannelRequest: Sendable {
    package internal(set) var record: BackchannelRecord
    var dueAt: Instant?
    var expiresAt: Instant?
    var attempts = 0
    var lease: UUIDBits?
}

/// The backchannel requests of the in-memory store.
package struct MemoryBackchannelStore: BackchannelStore {
    let connection: MemoryConnection

    package func insert(_ record: BackchannelRecord, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard
            draft.tables.backchannelRequests.updateValue(MemoryBackchannelRequest(record: record), forKey: record.id)
                == nil
        else {
            throw StoreError.conflict(cause: "a request of that id")
        }
    }

    package func following(
        _ id: Digest256?,
        keptAfter instant: Instant,
        limit: Int
    ) async throws -> [BackchannelRecord] {
        try await connection.read { tables in
            let records = tables.backchannelRequests.values.map(\.record).filter { $0.keptUntil > instant }
            let sorted = records.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
            guard let id else { return Array(sorted.prefix(limit)) }
            return Array(sorted.filter { id.bytes.lexicographicallyPrecedes($0.id.bytes) }.prefix(limit))
        }
    }

    package func find(_ id: Digest256) async throws -> BackchannelRecord? {
        try await connection.read { $0.backchannelRequests[id]?.record }
    }

    package func find(operation: OperationRowID, in transaction: borrowing Transaction) throws -> BackchannelRecord? {
        try transaction.draft().tables.backchannelRequests.values.map(\.record).first { $0.operation == operation }
    }

    package func enqueue(
        _ id: Digest256,
        at now: Instant,
        expiresAt: Instant,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        guard let row = draft.tables.backchannelRequests[id], row.record.callback != nil, row.dueAt == nil else {
            return
        }
        draft.tables.backchannelRequests[id]?.dueAt = now
        draft.tables.backchannelRequests[id]?.expiresAt = expiresAt
    }

    package func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedNotice] {
        let draft = try transaction.draft()
        var claimed: [String: Int] = [:]
        let queued = draft.tables.backchannelRequests.values.filter { $0.dueAt.map { $0 <= now } ?? false }
            .sorted { left, right in
                let (first, second) = (left.dueAt ?? now, right.dueAt ?? now)
                return first == second
                    ? left.record.operation.bits < right.record.operation.bits : first < second
            }
            .filter { row in
                claimed[row.record.access.clientID, default: 0] += 1
                return claimed[row.record.access.clientID, default: 0] <= capacity.left(for: row.record.access.clientID)
            }
        let due = capacity.first(of: queued) { $0.record.access.clientID }
        for row in due {
            draft.tables.backchannelRequests[row.record.id]?.lease = lease.token
            draft.tables.backchannelRequests[row.record.id]?.dueAt = lease.until
        }
        return due.map { row in
            QueuedNotice(request: row.record, attempts: row.attempts, expiresAt: row.expiresAt ?? now)
        }
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.draft().tables.backchannelRequests.values.compactMap(\.dueAt).min()
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

    package func waiting(
        for client: String?,
        after position: NoticePosition?,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [WaitingNotice] {
        let rows = try transaction.draft().tables.backchannelRequests.values.compactMap { row in
            row.dueAt.map { (dueAt: $0, row: row) }
        }
        let subject = { (row: MemoryBackchannelRequest) in row.record.operation.description }
        return rows.filter { found in client.map { $0 == found.row.record.access.clientID } ?? true }
            .filter { found in position.map { $0.precedes(found.dueAt, subject(found.row)) } ?? true }
            .sorted { ($0.dueAt, subject($0.row)) < ($1.dueAt, subject($1.row)) }
            .prefix(limit)
            .map { dueAt, row in
                WaitingNotice(
                    about: row.record.operation,
                    to: row.record.access.clientID,
                    by: row.record.delivery,
                    expiresAt: row.expiresAt ?? dueAt,
                    dueAt: dueAt,
                    attempts: row.attempts
                )
            }
    }

    package func state(upTo bound: Int, in transaction: borrowing Transaction) throws -> NoticeQueueState {
        let waiting = try waiting(for: nil, after: nil, limit: .max, in: transaction)
        return NoticeQueueState(waiting: min(bound, waiting.count), oldest: waiting.map(\.queuedAt).min())
    }

    package func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        let draft = try transaction.draft()
        let waiting = draft.tables.backchannelRequests.filter { _, row in
            row.lease == nil && row.dueAt.map { $0 > now } ?? false
        }.keys
        for id in waiting { draft.tables.backchannelRequests[id]?.dueAt = now }
        return waiting.count
    }

    private func change(
        _ id: Digest256,
        lease: DeliveryLease,
        in transaction: borrowing Transaction,
        _ body: (inout MemoryBackchannelRequest) -> Void
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard var row = draft.tables.backchannelRequests[id], row.lease == lease.token else { return false }
        row.lease = nil
        body(&row)
        draft.tables.backchannelRequests[id] = row
        return true
    }
}

// Requests alone: a store and its units of work in one.
extension MemoryBackchannelStore: UnitOfWork {
    package init() { connection = .alone() }

    /// While it is down no unit runs and nothing is read.
    package var isDown: Bool {
        get { connection.disk.isDown }
        nonmutating set { connection.disk.isDown = newValue }
    }

    /// Returns what is kept of that request.
    package func record(_ id: Digest256) -> BackchannelRecord? {
        connection.disk.tables.backchannelRequests[id]?.record
    }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await connection.run(body)
    }
}
