package import Kernel
package import Logging

/// The queue of pings and pushes.
///
/// A worker delivers them, so that no face scan and no poll waits for a client's endpoint.
///
/// A push that is delivered twice has the same tokens.
package struct NoticeDelivery: DeliveryQueue {
    private let service: BackchannelService
    private let unitOfWork: any UnitOfWork
    private let sender: any BackchannelSending
    private let results: any BackchannelResults
    private let logger: Logger

    package init(
        _ service: BackchannelService,
        unitOfWork: any UnitOfWork,
        sender: any BackchannelSending,
        results: any BackchannelResults,
        logger: Logger
    ) {
        self.service = service
        self.unitOfWork = unitOfWork
        self.sender = sender
        self.results = results
        self.logger = logger
    }

    package var signal: WorkSignal { service.signal }

    package func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant
    ) async throws -> (payloads: [QueuedNotice], nextDue: Instant?) {
        // Most checks find nothing to send, and need no writer.
        let next = try await unitOfWork.read { [store = service.store] in try store.nextDue(in: $0) }
        guard next.map({ $0 <= now }) == true else { return ([], next) }
        return try await unitOfWork.run { [store = service.store] transaction in
            let due = try store.claim(lease, capacity: capacity, at: now, in: transaction)
            return (due, try store.nextDue(in: transaction))
        }
    }

    package func send(_ notice: QueuedNotice) async -> DeliveryOutcome<String> {
        let pending = PendingBackchannel(notice.request)
        guard let callback = notice.request.callback, let secrets = service.secrets(of: notice.request) else {
            return .refused("its sealing key is gone, or it was changed")
        }
        let body: [UInt8]?
        do { body = try await self.body(of: pending, secrets.authReqID) } catch { return .failed("\(error)") }
        guard let body else { return .refused("the request has no result left to send") }
        let message = BackchannelNotice(endpoint: callback.endpoint, token: secrets.notificationToken, body: body)
        let outcome = await sender.send(message)
        guard outcome == .delivered, pending.delivery == .push else { return outcome }
        do { try await results.acknowledge(pending) } catch {
            // Without the acknowledgement, the redelivery window ends by itself.
            logger.warning(
                "a push to a client could not be stored as delivered",
                metadata: Self.about(notice, "\(error)")
            )
        }
        return outcome
    }

    /// Returns the body of a notice.
    ///
    /// A ping has only the request's id (CIBA Core §10.2).
    private func body(of pending: PendingBackchannel, _ authReqID: Secret) async throws -> [UInt8]? {
        switch pending.delivery {
        // Base64url needs no escape in JSON.
        case .poll, .ping: Array("{\"auth_req_id\":\"\(authReqID.expose())\"}".utf8)
        case .push: try await results.result(of: pending, authReqID: authReqID)
        }
    }

    package func settle(
        _ notice: QueuedNotice,
        as settlement: DeliverySettlement<String>,
        under lease: DeliveryLease,
        at now: Instant
    ) async throws -> Bool {
        try await unitOfWork.run { [store = service.store, id = notice.request.id] transaction in
            switch settlement {
            case .delivered, .expired, .refused: try store.finish(id, lease: lease, in: transaction)
            case .putOff(let due, _): try store.putOff(id, to: due, lease: lease, in: transaction)
            }
        }
    }

    package func report(_ settlement: DeliverySettlement<String>, of notice: QueuedNotice) {
        switch settlement {
        case .delivered: break
        case .expired: reportGivenUp(notice, "its time is over")
        case .refused(let cause): reportGivenUp(notice, cause)
        case .putOff(_, let cause):
            logger.info("a notice to a client will be tried again", metadata: Self.about(notice, cause))
        }
    }

    private func reportGivenUp(_ notice: QueuedNotice, _ cause: String) {
        logger.warning(
            "a notice to a client was given up: check the client's notification endpoint",
            metadata: Self.about(notice, cause)
        )
    }

    package func report(_ trouble: DeliveryTrouble<QueuedNotice>) {
        switch trouble {
        case .unreadable(let error):
            logger.warning("the notices to clients could not be read", metadata: ["cause": "\(error)"])
        case .unsettled(_, let error):
            logger.warning("the result of a notice to a client could not be stored", metadata: ["cause": "\(error)"])
        case .late: break
        }
    }

    /// Returns the metadata of a notice for the log, without its id, the endpoint's query or a token.
    private static func about(_ notice: QueuedNotice, _ cause: String) -> Logger.Metadata {
        [
            "operation": "\(notice.request.operation)", "client": "\(notice.request.access.clientID)",
            "delivery": "\(notice.request.delivery.rawValue)", "cause": "\(cause)",
        ]
    }
}

extension DeliveryPolicy {
    /// The policy of notices: at one time at most two of one client and sixteen in all.
    package static let notices = DeliveryPolicy(
        concurrency: 16,
        concurrencyPerGroup: 2,
        retries: RetrySchedule(base: .seconds(1), cap: .seconds(30), least: .milliseconds(250), maxAttempts: 20)
    )
}
