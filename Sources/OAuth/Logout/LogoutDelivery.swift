package import Kernel
package import Logging

/// Port: sends logout tokens to clients' endpoints, with a timeout and without following redirects.
package protocol LogoutSending: Sendable {
    /// Sends a logout token. The outcome of a failure contains its cause, for the log. A redirect counts as a refusal.
    func send(_ token: Secret, to endpoint: String) async -> DeliveryOutcome<String>
}

/// The queue of logout notices with their transport, for the delivery worker.
///
/// A notice is sent twice if its row could not be deleted after the first time. Both tokens have the same `jti`.
package struct LogoutDelivery: DeliveryQueue {
    /// Signs the logout token of a notice with an algorithm of id tokens; `nil` is that of access tokens.
    package typealias Sign = @Sendable (LogoutNotice, IdentityAlgorithm?) throws -> Secret

    private let notices: LogoutNotices
    private let unitOfWork: any UnitOfWork
    private let auditLog: any AuditLog
    private let sender: any LogoutSending
    private let sign: Sign
    private let clock: any MonotonicClock
    private let logger: Logger

    package init(
        _ notices: LogoutNotices,
        unitOfWork: any UnitOfWork,
        auditLog: any AuditLog,
        sender: any LogoutSending,
        clock: any MonotonicClock,
        logger: Logger,
        sign: @escaping Sign
    ) {
        self.notices = notices
        self.unitOfWork = unitOfWork
        self.auditLog = auditLog
        self.sender = sender
        self.clock = clock
        self.logger = logger
        self.sign = sign
    }

    package var signal: WorkSignal { notices.signal }
    package var counts: LogoutCounts { notices.counts }

    package func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant
    ) async throws -> (payloads: [QueuedLogout], nextDue: Instant?) {
        let uptime = clock.now
        let isCounted = counts.isDue(at: uptime)
        let (state, next) = try await unitOfWork.read { [store = notices.store] transaction in
            (isCounted ? try store.state(upTo: .max, in: transaction) : nil, try store.nextDue(in: transaction))
        }
        if let state { counts.note(state, at: uptime) }
        guard next.map({ $0 <= now }) == true else { return ([], next) }
        return try await unitOfWork.run { [store = notices.store] transaction in
            let due = try store.claim(lease, capacity: capacity, at: now, in: transaction)
            return (due, try store.nextDue(in: transaction))
        }
    }

    package func send(_ queued: QueuedLogout) async -> DeliveryOutcome<String> {
        let notice = queued.notice
        var (endpoint, algorithm) = (notice.endpoint, notice.algorithm)
        if let client = notices.directory.client(notice.client) {
            guard let current = client.tokens.logout else {
                return .refused("the client has no logout endpoint any more")
            }
            (endpoint, algorithm) = (current.uri, client.tokens.identityAlgorithm)
        }
        let token: Secret
        // The keys of an algorithm may still be generated.
        do { token = try sign(notice, algorithm) } catch { return .failed("\(error)") }
        return await sender.send(token, to: endpoint)
    }

    package func settle(
        _ queued: QueuedLogout,
        as settlement: DeliverySettlement<String>,
        under lease: DeliveryLease,
        at now: Instant
    ) async throws -> Bool {
        let notice = queued.notice
        return try await unitOfWork.run { [store = notices.store, auditLog] transaction in
            let cause: String
            switch settlement {
            case .delivered: return try store.remove(notice.session, lease: lease, in: transaction)
            case .putOff(let due, let failure):
                let failure = Self.bounded(failure)
                return try store.putOff(notice.session, to: due, failure: failure, lease: lease, in: transaction)
            case .refused(let failure): cause = failure
            case .expired: cause = "given up after \(queued.attempts) tries" + (queued.failure.map { ": \($0)" } ?? "")
            }
            guard try store.remove(notice.session, lease: lease, in: transaction) else { return false }
            let record = AuditRecord(
                LogoutAuditEvent.undelivered,
                of: notice.session,
                account: notice.account,
                detail: "\(notice.client): \(cause)"
            )
            try auditLog.append(record, in: transaction)
            return true
        }
    }

    package func report(_ settlement: DeliverySettlement<String>, of queued: QueuedLogout) {
        switch settlement {
        case .delivered: counts.add(.delivered)
        case .expired:
            counts.add(.expired)
            reportGivenUp(queued, queued.failure ?? "its time is over")
        case .refused(let cause):
            counts.add(.refused)
            reportGivenUp(queued, cause)
        case .putOff(_, let cause):
            counts.add(.retried)
            logger.info("a logout token will be sent again", metadata: Self.about(queued, cause))
        }
    }

    private func reportGivenUp(_ queued: QueuedLogout, _ cause: String) {
        logger.warning(
            "a client was not told that a session ended: check the client's logout endpoint",
            metadata: Self.about(queued, cause)
        )
    }

    package func report(_ trouble: DeliveryTrouble<QueuedLogout>) {
        switch trouble {
        case .unreadable(let error):
            logger.warning("the logout notices could not be read", metadata: ["cause": "\(error)"])
        case .unsettled(let queued, let error):
            logger.warning(
                "the result of a logout notice could not be stored: it may be sent twice",
                metadata: Self.about(queued, "\(error)")
            )
        case .late: break
        }
    }

    /// Returns a cause in the length that the queue keeps.
    private static func bounded(_ cause: String) -> String { cause.isEmpty ? "unknown" : String(cause.prefix(500)) }

    /// Returns the metadata of a notice for the log, without the endpoint or a token.
    private static func about(_ queued: QueuedLogout, _ cause: String) -> Logger.Metadata {
        ["session": "\(queued.notice.session)", "client": "\(queued.notice.client)", "cause": "\(cause)"]
    }
}

extension DeliveryPolicy {
    /// The policy of logout notices: at one time at most two of one client and sixteen in all.
    package static let logouts = DeliveryPolicy(
        concurrency: 16,
        concurrencyPerGroup: 2,
        retries: RetrySchedule(base: .seconds(2), cap: .seconds(3600), maxAttempts: 60)
    )
}
