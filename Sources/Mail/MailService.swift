package import Kernel

/// The operator's commands for the mail queue.
package struct MailService: Sendable {
    private let worker: DeliveryWorker<MailDelivery>

    package init(worker: DeliveryWorker<MailDelivery>) { self.worker = worker }

    /// A mail with its recipient, without its text.
    package struct Summary: Sendable, Equatable {
        package let mail: QueuedMail
        /// `nil` if the key that encrypted it is gone.
        package let recipient: String?
    }

    /// The result of a flush.
    package struct Flushed: Sendable, Equatable {
        /// The number of mails that were tried, or are due now.
        package let due: Int
        /// The number of mails that are still in the queue.
        package let queued: Int
        package let bounced: Int
    }

    /// Returns the mails in those states, newest first.
    package func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [Summary] {
        try await worker.queue.mails.store.list(states, limit: limit).map {
            Summary(mail: $0, recipient: worker.queue.mails.recipient(of: $0))
        }
    }

    /// Returns the number of queued mails, counted up to a bound, and since when the oldest is queued.
    package func queueState(upTo bound: Int) async throws -> (count: Int, oldest: Instant?) {
        try await worker.queue.unitOfWork.read { [store = worker.queue.mails.store] transaction in
            (try store.queued(upTo: bound, in: transaction), try store.oldest(in: transaction))
        }
    }

    /// Returns `nil` for a mail that was delivered or dropped.
    package func find(_ id: MailID) async throws -> QueuedMail? {
        try await worker.queue.mails.store.find(id)
    }

    /// Tries every queued mail now, for at most `time`.
    package func flush(within time: Duration) async throws -> Flushed {
        let (environment, unitOfWork, store) = (worker.environment, worker.queue.unitOfWork, worker.queue.mails.store)
        let end = environment.clock.now + time
        let due = try await unitOfWork.run { try store.expedite(at: environment.now(), in: $0) }
        await worker.deliverDue(until: end)
        let counts = try await unitOfWork.read { try store.counts(in: $0) }
        return Flushed(due: due, queued: counts[.queued] ?? 0, bounced: counts[.bounced] ?? 0)
    }
}
