// Mail: the durable queue of mail, and its worker.
// Owns leases, retries, bounces, and how much mail may wait.
// Opens no connection: a transport sends, and tells the outcome.
// Survives crashes and servers that turn away: a mail is tried until it is sent, bounced or expired.
// What a mail says is encrypted in its row, and erased once it is sent.

package import Kernel
package import Logging
import Synchronization

/// Delivers what is in the queue, beside everything else: no request ever waits for it.
///
/// A mail is claimed under a lease, handed to the transport, and settled. It is delivered once unless the process dies
/// between the server's yes and the row's end: SMTP has no way around that (RFC 5321 §4.5.4.1). Such a second copy has
/// the same Message-ID.
package final class MailDeliveryWorker: Sendable {
    /// How long a signal may go unheard.
    private static let beat: Duration = .milliseconds(100)
    /// After a fault of the store, and at least so often a look that nothing asked for.
    private static let afterFault: Duration = .seconds(1)
    private static let longestRest: Duration = .seconds(30)
    /// Mails under way at one time.
    package static let concurrency = 4

    package let counts = MailCounts()
    let facts: Facts
    let unitOfWork: any UnitOfWork
    let store: any MailQueueStore
    let queue: MailQueue
    private let transport: any MailTransport
    private let schedule: RetrySchedule
    private let leaseTime: Duration
    private let logger: Logger
    private let state: Mutex<State>

    private struct State {
        var underWay = 0
        /// When the store is looked at next, whatever the signal says.
        var nextLook: Uptime
    }

    /// `leaseTime`: Longer than the transport ever takes, or a slow server gets a mail twice.
    package init(
        facts: Facts,
        unitOfWork: any UnitOfWork,
        store: any MailQueueStore,
        queue: MailQueue,
        transport: any MailTransport,
        schedule: RetrySchedule = RetrySchedule(),
        leaseTime: Duration,
        logger: Logger
    ) {
        self.facts = facts
        self.unitOfWork = unitOfWork
        self.store = store
        self.queue = queue
        self.transport = transport
        self.schedule = schedule
        self.leaseTime = leaseTime
        self.logger = logger
        state = Mutex(State(nextLook: facts.clock.now))
    }

    /// Delivers until the task is cancelled; mails that are out by then are settled first.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for mail in await claim() { group.addTask { await self.deliver(mail) } }
                do { try await facts.clock.sleep(until: facts.clock.now + Self.beat) } catch { break }
            }
        }
    }

    /// Delivers what is due now until nothing is, or time is up.
    package func deliverDue(until end: Uptime) async {
        while !Task.isCancelled, facts.clock.now < end {
            let mails = await claim(isAsked: true)
            guard !mails.isEmpty else {
                // ``run()`` may be delivering beside this.
                guard state.withLock({ $0.underWay > 0 }) else { return }
                do { try await facts.clock.sleep(until: facts.clock.now + Self.beat) } catch { return }
                continue
            }
            await withDiscardingTaskGroup { group in
                for mail in mails { group.addTask { await self.deliver(mail) } }
            }
        }
    }

    /// A mail with the lease that it was claimed under.
    private struct Claimed: Sendable {
        let mail: QueuedMail
        let lease: MailLease
    }

    private func claim(isAsked: Bool = false) async -> [Claimed] {
        let uptime = facts.clock.now
        let isRaised = queue.signal.take() || isAsked
        let room = state.withLock { state -> Int in
            guard isRaised || uptime >= state.nextLook else { return 0 }
            let room = Self.concurrency - state.underWay
            state.underWay += max(0, room)
            return max(0, room)
        }
        guard room > 0 else {
            if isRaised { queue.signal.raise() }
            return []
        }
        let now = facts.now()
        let lease = MailLease(token: facts.newUUID(), until: now + leaseTime)
        do {
            let (mails, due, lengths) = try await unitOfWork.run { [store] transaction in
                let mails = try store.claim(lease, limit: room, at: now, in: transaction)
                return (mails, try store.nextDue(in: transaction), try store.counts(in: transaction))
            }
            counts.note(lengths)
            rest(from: uptime, for: due.map { $0 - now } ?? Self.longestRest, givingBack: room - mails.count)
            return mails.map { Claimed(mail: $0, lease: lease) }
        } catch {
            logger.warning("the mail queue could not be read", metadata: ["cause": "\(error)"])
            rest(from: uptime, for: Self.afterFault, givingBack: room)
            return []
        }
    }

    private func rest(from uptime: Uptime, for pause: Duration, givingBack count: Int) {
        state.withLock { state in
            state.underWay -= count
            state.nextLook = uptime + min(pause, Self.longestRest)
        }
    }

    private func deliver(_ claimed: Claimed) async {
        let settlement = await attempt(claimed.mail)
        await settle(settlement, claimed)
        state.withLock { $0.underWay -= 1 }
        // There may have been more than there was room for.
        queue.signal.raise()
    }

    /// What is to be written about a mail.
    private enum Settlement: Sendable {
        case remove(MailOutcome)
        case putOff(to: Instant, MailFailure)
        case bounce(MailFailure)
    }

    private func attempt(_ mail: QueuedMail) async -> Settlement {
        guard facts.now() < mail.expiresAt, mail.attempts < schedule.maxAttempts else { return .remove(.expired) }
        guard let message = queue.message(of: mail) else {
            return .bounce(MailFailure(.unreadable, cause: "its sealing key is gone, or it was changed"))
        }
        do throws(MailFailure) {
            try await transport.deliver(message)
            return .remove(.delivered)
        } catch {
            switch error.kind {
            case .permanent, .unreadable: return .bounce(error)
            case .temporary, .configuration:
                let delay = schedule.delay(
                    after: mail.attempts + 1,
                    of: mail.kind,
                    jitter: facts.unitInterval()
                )
                return .putOff(to: min(facts.now() + delay, mail.expiresAt), error)
            }
        }
    }

    /// Writes what became of a mail, as often as it takes until the lease ends: a delivered one must not come back.
    private func settle(_ settlement: Settlement, _ claimed: Claimed) async {
        report(settlement, claimed.mail)
        while true {
            do {
                let isOurs = try await write(settlement, claimed)
                if !isOurs {
                    logger.warning("a mail was settled after its lease", metadata: ["mail": "\(claimed.mail.id)"])
                }
                return
            } catch {
                logger.warning(
                    "a mail could not be settled",
                    metadata: ["mail": "\(claimed.mail.id)", "cause": "\(error)"]
                )
                guard facts.now() + Self.afterFault < claimed.lease.until else { return }
                do { try await facts.clock.sleep(until: facts.clock.now + Self.afterFault) } catch { return }
            }
        }
    }

    private func write(_ settlement: Settlement, _ claimed: Claimed) async throws -> Bool {
        let (id, lease, now) = (claimed.mail.id, claimed.lease, facts.now())
        return try await unitOfWork.run { [store] transaction in
            switch settlement {
            case .remove: try store.remove(id, lease: lease, in: transaction)
            case .putOff(let due, let failure):
                try store.putOff(
                    id,
                    to: due,
                    failure: failure.kind,
                    reply: failure.reply,
                    lease: lease,
                    in: transaction
                )
            case .bounce(let failure):
                try store.bounce(
                    id,
                    at: now,
                    failure: failure.kind,
                    reply: failure.reply,
                    lease: lease,
                    in: transaction
                )
            }
        }
    }

    /// Counts and logs: the mail's id and kind, never whom it goes to or what it says.
    private func report(_ settlement: Settlement, _ mail: QueuedMail) {
        var about: Logger.Metadata = ["mail": "\(mail.id)", "kind": "\(mail.kind.rawValue)"]
        switch settlement {
        case .remove(let outcome):
            counts.add(outcome, mail.kind)
            if outcome == .expired { logger.warning("a mail was dropped: its time is over", metadata: about) }
        case .putOff(_, let failure):
            about["cause"] = "\(failure.cause)"
            let isOurs = failure.kind == .configuration
            counts.add(isOurs ? .misconfigured : .retried, mail.kind)
            logger.log(
                level: isOurs ? .error : .warning,
                "a mail was not delivered and will be tried again",
                metadata: about
            )
        case .bounce(let failure):
            about["cause"] = "\(failure.cause)"
            counts.add(failure.kind == .unreadable ? .unreadable : .bounced, mail.kind)
            logger.error("a mail bounced", metadata: about)
        }
    }
}
