package import Kernel
package import Mail

/// The mail queue of the in-memory store.
package struct MemoryMailQueueStore: MailQueueStore {
    let connection: MemoryConnection

    package func insert(_ mail: QueuedMail, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard draft.tables.mails[mail.id] == nil else { throw StoreError.conflict(cause: "there is such a mail") }
        draft.tables.mails[mail.id] = MemoryMail(mail: mail)
    }

    package func counts(in transaction: borrowing Transaction) throws -> [QueuedMail.State: Int] {
        try transaction.draft().tables.mails.values.reduce(into: [:]) { $0[$1.mail.state, default: 0] += 1 }
    }

    package func queued(upTo bound: Int, in transaction: borrowing Transaction) throws -> Int {
        min(bound, try transaction.draft().queued.count)
    }

    package func oldest(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.draft().queued.map(\.createdAt).min()
    }

    package func claim(
        _ lease: DeliveryLease,
        limit: Int,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedMail] {
        let draft = try transaction.draft()
        let mails = draft.queued.filter { $0.tries.dueAt <= now }.prefix(limit)
        for mail in mails {
            draft.tables.mails[mail.id]?.lease = lease.token
            draft.tables.mails[mail.id]?.mail.tries.dueAt = lease.until
        }
        return Array(mails)
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.draft().queued.first?.tries.dueAt
    }

    package func remove(_ id: MailID, lease: DeliveryLease, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard draft.tables.mails[id]?.lease == lease.token else { return false }
        draft.tables.mails[id] = nil
        return true
    }

    package func putOff(
        _ id: MailID,
        to due: Instant,
        failure: MailTransportError.Kind,
        reply: Int?,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try change(id, lease: lease, in: transaction) { mail in
            mail.tries.dueAt = due
            (mail.tries.failure, mail.tries.reply) = (failure, reply)
        }
    }

    package func bounce(
        _ id: MailID,
        at now: Instant,
        failure: MailTransportError.Kind,
        reply: Int?,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try change(id, lease: lease, in: transaction) { mail in
            mail.state = .bounced
            mail.contents.message = nil
            mail.endedAt = now
            (mail.tries.failure, mail.tries.reply) = (failure, reply)
        }
    }

    package func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        let draft = try transaction.draft()
        let free = draft.queued.filter { draft.tables.mails[$0.id]?.lease == nil }
        for mail in free { draft.tables.mails[mail.id]?.mail.tries.dueAt = min(mail.tries.dueAt, now) }
        return free.count
    }

    package func find(_ id: MailID) async throws -> QueuedMail? {
        try await connection.read { $0.mails[id]?.mail }
    }

    package func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [QueuedMail] {
        try await connection.read { tables in
            let mails = tables.mails.values.map(\.mail).filter { states.contains($0.state) }
            return Array(mails.sorted { ($0.createdAt, $0.id.bits) > ($1.createdAt, $1.id.bits) }.prefix(limit))
        }
    }

    private func change(
        _ id: MailID,
        lease: DeliveryLease,
        in transaction: borrowing Transaction,
        _ body: (inout QueuedMail) -> Void
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard var row = draft.tables.mails[id], row.lease == lease.token else { return false }
        row.lease = nil
        row.mail.tries.attempts += 1
        body(&row.mail)
        draft.tables.mails[id] = row
        return true
    }
}

/// A row of the queue, with who is delivering it.
package struct MemoryMail: Sendable, Equatable {
    package var mail: QueuedMail
    package var lease: UUIDBits?
}

extension MemoryDraft {
    /// Queued mails, the longest due first.
    fileprivate var queued: [QueuedMail] {
        tables.mails.values.map(\.mail).filter { $0.state == .queued }
            .sorted { ($0.tries.dueAt, $0.id.bits) < ($1.tries.dueAt, $1.id.bits) }
    }
}
