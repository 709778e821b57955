package import Kernel
package import OAuth

/// The logout notices of the in-memory store.
package struct MemoryLogoutNoticeStore: LogoutNoticeStore {
    package init() {}

    package func insert(_ notices: [LogoutNotice], in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        for notice in notices where draft.tables.logoutNotices[notice.session] == nil {
            draft.tables.logoutNotices[notice.session] = MemoryLogout(
                queued: QueuedLogout(notice: notice, attempts: 0, failure: nil),
                dueAt: notice.createdAt
            )
        }
    }

    package func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedLogout] {
        let draft = try transaction.draft()
        var taken: [String: Int] = [:]
        let due = draft.tables.logoutNotices.values.filter { $0.dueAt <= now }.sorted().filter { row in
            let client = row.queued.notice.client
            guard taken[client, default: 0] < capacity.left(for: client) else { return false }
            taken[client, default: 0] += 1
            return true
        }
        let claimed = capacity.first(of: due) { $0.queued.notice.client }.map(\.queued)
        for queued in claimed {
            draft.tables.logoutNotices[queued.notice.session]?.lease = lease.token
            draft.tables.logoutNotices[queued.notice.session]?.dueAt = lease.until
        }
        return claimed
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.draft().tables.logoutNotices.values.map(\.dueAt).min()
    }

    package func remove(
        _ session: SessionID,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard draft.tables.logoutNotices[session]?.lease == lease.token else { return false }
        draft.tables.logoutNotices[session] = nil
        return true
    }

    package func putOff(
        _ session: SessionID,
        to due: Instant,
        failure: String,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard let row = draft.tables.logoutNotices[session], row.lease == lease.token else { return false }
        let queued = QueuedLogout(notice: row.queued.notice, attempts: row.queued.attempts + 1, failure: failure)
        draft.tables.logoutNotices[session] = MemoryLogout(queued: queued, dueAt: due)
        return true
    }

    package func state(upTo bound: Int, in transaction: borrowing Transaction) throws -> NoticeQueueState {
        let rows = try transaction.draft().tables.logoutNotices.values
        return NoticeQueueState(waiting: min(bound, rows.count), oldest: rows.map(\.queued.notice.createdAt).min())
    }

    package func state(of client: String, in transaction: borrowing Transaction) throws -> NoticeQueueState {
        let rows = try transaction.draft().tables.logoutNotices.values.filter { $0.queued.notice.client == client }
        let failed = rows.filter { $0.queued.failure != nil }
            .max { $0.queued.notice.createdAt < $1.queued.notice.createdAt }
        return NoticeQueueState(
            waiting: rows.count,
            oldest: rows.map(\.queued.notice.createdAt).min(),
            failure: failed?.queued.failure
        )
    }

    package func waiting(
        for client: String?,
        after position: NoticePosition?,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [WaitingNotice] {
        let rows = try transaction.draft().tables.logoutNotices.values.filter { row in
            (client.map { $0 == row.queued.notice.client } ?? true)
                && (position.map { $0.precedes(row.dueAt, row.queued.notice.session.description) } ?? true)
        }
        return rows.sorted().prefix(limit).map { WaitingNotice($0.queued, dueAt: $0.dueAt) }
    }

    package func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        let draft = try transaction.draft()
        let waiting = draft.tables.logoutNotices.filter { $0.value.dueAt > now && $0.value.lease == nil }.keys
        for session in waiting { draft.tables.logoutNotices[session]?.dueAt = now }
        return waiting.count
    }
}

/// A row of the queue, with who is delivering it.
package struct MemoryLogout: Sendable, Equatable, Comparable {
    package var queued: QueuedLogout
    package var dueAt: Instant
    package var lease: UUIDBits?

    package static func < (left: Self, right: Self) -> Bool {
        (left.dueAt, left.queued.notice.session.bits) < (right.dueAt, right.queued.notice.session.bits)
    }
}
