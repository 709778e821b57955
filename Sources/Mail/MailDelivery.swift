// Mail: the durable queue of mail, and its delivery.
// Owns the queue, its capacity and its bounces. Kernel's `DeliveryWorker` has the leases and retries.
// Opens no connection: a transport sends the mail and returns the outcome.
// Survives crashes and servers that refuse: a mail is tried until it is sent, bounced or expired.
// The text of a mail is encrypted in its row, and erased once the mail is sent or has bounced.

package import Kernel
package import Logging

/// The mail queue and its transport, for the delivery worker.
///
/// A mail is sent twice if its row could not be deleted after the first time. SMTP can't prevent that (RFC 5321
/// §4.5.4.1). Both copies have the same Message-ID.
package struct MailDelivery: DeliveryQueue {
    package let counts = MailCounts()
    let mails: MailQueue
    let unitOfWork: any UnitOfWork
    private let transport: any MailTransport
    private let logger: Logger

    package init(_ mails: MailQueue, unitOfWork: any UnitOfWork, transport: any MailTransport, logger: Logger) {
        self.mails = mails
        self.unitOfWork = unitOfWork
        self.transport = transport
        self.logger = logger
    }

    package var signal: WorkSignal { mails.signal }

    package func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant
    ) async throws -> (payloads: [QueuedMail], nextDue: Instant?) {
        let next = try await look()
        guard next.map({ $0 <= now }) == true else { return ([], next) }
        return try await unitOfWork.run { [store = mails.store] transaction in
            let due = try store.claim(lease, limit: capacity.inAll, at: now, in: transaction)
            return (due, try store.nextDue(in: transaction))
        }
    }

    /// Counts the queue, and returns when its next mail is due.
    private func look() async throws -> Instant? {
        let mark = mails.length.mark
        let (lengths, next) = try await unitOfWork.read { [store = mails.store] transaction in
            (try store.counts(in: transaction), try store.nextDue(in: transaction))
        }
        mails.length.note(lengths[.queued] ?? 0, since: mark)
        counts.note(lengths)
        return next
    }

    package func send(_ mail: QueuedMail) async -> DeliveryOutcome<MailTransportError> {
        guard let message = mails.message(of: mail) else {
            return .refused(MailTransportError(.unreadable, cause: "its sealing key is gone, or it was changed"))
        }
        do throws(MailTransportError) {
            try await transport.deliver(message)
            return .delivered
        } catch {
            switch error.kind {
            case .permanent, .unreadable: return .refused(error)
            case .temporary, .configuration: return .failed(error)
            }
        }
    }

    package func settle(
        _ mail: QueuedMail,
        as settlement: DeliverySettlement<MailTransportError>,
        under lease: DeliveryLease,
        at now: Instant
    ) async throws -> Bool {
        try await unitOfWork.run { [store = mails.store, length = mails.length, id = mail.id] transaction in
            let isHeld: Bool
            switch settlement {
            case .delivered, .expired: isHeld = try store.remove(id, lease: lease, in: transaction)
            case .putOff(let due, let failure):
                return try store.putOff(
                    id,
                    to: due,
                    failure: failure.kind,
                    reply: failure.reply,
                    lease: lease,
                    in: transaction
                )
            case .refused(let failure):
                isHeld = try store.bounce(
                    id,
                    at: now,
                    failure: failure.kind,
                    reply: failure.reply,
                    lease: lease,
                    in: transaction
                )
            }
            if isHeld { transaction.whenDurable { length.change(by: -1) } }
            return isHeld
        }
    }

    /// Counts and logs the outcome, with the mail's id and kind, never its recipient or its text.
    package func report(_ settlement: DeliverySettlement<MailTransportError>, of mail: QueuedMail) {
        var about: Logger.Metadata = ["mail": "\(mail.id)", "kind": "\(mail.kind.rawValue)"]
        switch settlement {
        case .delivered: counts.add(.delivered, mail.kind)
        case .expired:
            counts.add(.expired, mail.kind)
            logger.warning(
                "a mail was dropped, because it was not delivered in time: check the mail server",
                metadata: about
            )
        case .putOff(_, let failure):
            about["cause"] = "\(failure.cause)"
            let isOurs = failure.kind == .configuration
            counts.add(isOurs ? .misconfigured : .retried, mail.kind)
            logger.log(
                level: isOurs ? .error : .warning,
                "a mail was not delivered: it is tried again",
                metadata: about
            )
        case .refused(let failure):
            about["cause"] = "\(failure.cause)"
            counts.add(failure.kind == .unreadable ? .unreadable : .bounced, mail.kind)
            logger.error("a mail bounced: `vestibule mail list` shows why", metadata: about)
        }
    }

    package func report(_ trouble: DeliveryTrouble<QueuedMail>) {
        switch trouble {
        case .unreadable(let error):
            logger.warning("the mail queue could not be read", metadata: ["cause": "\(error)"])
        case .unsettled(let mail, let error):
            logger.warning(
                "the result of a mail could not be stored: the mail may be sent twice",
                metadata: ["mail": "\(mail.id)", "cause": "\(error)"]
            )
        case .late(let mail):
            logger.warning("a mail took longer than its lease: it may be sent twice", metadata: ["mail": "\(mail.id)"])
        }
    }
}

extension DeliveryPolicy {
    /// Returns the policy for mail: four deliveries at a time.
    package static func mail(leaseTime: Duration, retries: RetrySchedule = .mail) -> DeliveryPolicy {
        DeliveryPolicy(concurrency: 4, leaseTime: leaseTime, retries: retries)
    }
}

extension RetrySchedule {
    package static let mail = RetrySchedule(base: .seconds(2), cap: .seconds(600))
}
