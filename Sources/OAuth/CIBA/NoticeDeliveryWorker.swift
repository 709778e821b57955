package import Kernel
package import Logging
import Synchronization

/// Sends pings and pushes, beside everything else: no scan and no poll ever waits for a client's endpoint.
///
/// A notice is claimed under a lease, sent, and settled. It arrives once unless the process dies between the endpoint's yes
/// and the row's end; a push that arrives twice has the same tokens. It also forgets the requests whose time is over.
package final class NoticeDeliveryWorker: Sendable {
    private static let beat: Duration = .milliseconds(100)
    private static let afterFault: Duration = .seconds(1)
    private static let longestRest: Duration = .seconds(30)
    /// Notices under way at one time.
    package static let concurrency = 16
    /// Of one client: whose endpoint hangs holds up its own notices, and nobody else's.
    package static let concurrencyOfClient = 2
    /// Longer than sending one ever takes.
    private static let leaseTime: Duration = .seconds(60)

    private let facts: Facts
    private let unitOfWork: any UnitOfWork
    private let store: any BackchannelStore
    private let service: BackchannelService
    private let sender: any BackchannelSending
    private let results: any BackchannelResults
    private let schedule: NoticeSchedule
    private let logger: Logger
    private let state: Mutex<State>

    private struct State {
        var underWay = 0
        var underWayOf: [String: Int] = [:]
        /// When the store is looked at next, whatever the signal says.
        var nextLook: Uptime
        var nextSweep: Uptime
    }

    package init(
        facts: Facts,
        unitOfWork: any UnitOfWork,
        store: any BackchannelStore,
        service: BackchannelService,
        sender: any BackchannelSending,
        results: any BackchannelResults,
        schedule: NoticeSchedule = NoticeSchedule(),
        logger: Logger
    ) {
        self.facts = facts
        self.unitOfWork = unitOfWork
        self.store = store
        self.service = service
        self.sender = sender
        self.results = results
        self.schedule = schedule
        self.logger = logger
        let now = facts.clock.now
        state = Mutex(State(nextLook: now, nextSweep: now + Self.longestRest))
    }

    /// Delivers until the task is cancelled; notices that are out by then are settled first.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for notice in await claim() { group.addTask { await self.deliver(notice) } }
                sweepIfDue()
                do { try await facts.clock.sleep(until: facts.clock.now + Self.beat) } catch { break }
            }
        }
    }

    /// Delivers what is due now; returns how many that were.
    package func deliverDue() async -> Int {
        let notices = await claim(isAsked: true)
        await withDiscardingTaskGroup { group in
            for notice in notices { group.addTask { await self.deliver(notice) } }
        }
        return notices.count
    }

    private func sweepIfDue() {
        let now = facts.clock.now
        let isDue = state.withLock { state in
            guard now >= state.nextSweep else { return false }
            state.nextSweep = now + Self.longestRest
            return true
        }
        if isDue { service.book.sweep(at: facts.now()) }
    }

    /// A notice with the lease that it was claimed under.
    private struct Claimed: Sendable {
        let notice: QueuedNotice
        let lease: NoticeLease
    }

    private func claim(isAsked: Bool = false) async -> [Claimed] {
        let uptime = facts.clock.now
        let isRaised = service.signal.take() || isAsked
        let room = state.withLock { state -> NoticeRoom in
            let inAll = isRaised || uptime >= state.nextLook ? max(0, Self.concurrency - state.underWay) : 0
            state.underWay += inAll
            return NoticeRoom(inAll: inAll, ofClient: Self.concurrencyOfClient, taken: state.underWayOf)
        }
        guard room.inAll > 0 else {
            if isRaised { service.signal.raise() }
            return []
        }
        let now = facts.now()
        let lease = NoticeLease(token: facts.newUUID(), until: now + Self.leaseTime)
        do {
            let (notices, due) = try await unitOfWork.run { [store] transaction in
                let notices = try store.claim(lease, room: room, at: now, in: transaction)
                return (notices, try store.nextDue(in: transaction))
            }
            state.withLock { state in
                for notice in notices { state.underWayOf[notice.request.clientID, default: 0] += 1 }
            }
            // What is due and stays has no place: the signal is sent when there is one.
            let pause = due.map { $0 - now } ?? Self.longestRest
            let isHeldUp = pause <= .zero
            rest(from: uptime, for: isHeldUp ? Self.afterFault : pause, givingBack: room.inAll - notices.count)
            return notices.map { Claimed(notice: $0, lease: lease) }
        } catch {
            logger.warning("the notices to clients could not be read", metadata: ["cause": "\(error)"])
            rest(from: uptime, for: Self.afterFault, givingBack: room.inAll)
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
        await settle(await attempt(claimed.notice), claimed)
        let client = claimed.notice.request.clientID
        state.withLock { state in
            state.underWay -= 1
            let left = (state.underWayOf[client] ?? 0) - 1
            state.underWayOf[client] = left > 0 ? left : nil
        }
        // There may have been more than there was room for.
        service.signal.raise()
    }

    private enum Settlement: Sendable {
        case finish
        case putOff(to: Instant)
    }

    private func attempt(_ notice: QueuedNotice) async -> Settlement {
        let pending = PendingBackchannel(notice.request)
        guard facts.now() < notice.expiresAt, notice.attempts < schedule.maxAttempts else {
            return finish(pending, because: "its time is over")
        }
        guard let callback = notice.request.callback, let secrets = service.secrets(of: notice.request) else {
            return finish(pending, because: "its sealing key is gone, or it was changed")
        }
        let body: [UInt8]?
        do {
            body = try await self.body(of: pending, secrets.authReqID)
        } catch {
            return putOff(notice, because: "\(error)")
        }
        guard let body else { return finish(pending, because: "there is nothing left to be said") }
        let message = BackchannelNotice(endpoint: callback.endpoint, token: secrets.notificationToken, body: body)
        switch await sender.send(message) {
        case .delivered:
            await acknowledge(pending)
            return .finish
        case .refused(let cause): return finish(pending, because: cause)
        case .failed(let cause): return putOff(notice, because: cause)
        }
    }

    /// CIBA Core §10.2: a ping names the request and nothing else.
    private func body(of pending: PendingBackchannel, _ authReqID: Secret) async throws -> [UInt8]? {
        switch pending.delivery {
        // Base64url: nothing in it needs an escape.
        case .poll, .ping: Array("{\"auth_req_id\":\"\(authReqID.expose())\"}".utf8)
        case .push: try await results.result(of: pending, authReqID: authReqID)
        }
    }

    private func acknowledge(_ pending: PendingBackchannel) async {
        guard pending.delivery == .push else { return }
        do { try await results.acknowledge(pending) } catch {
            // The window for it ends by itself.
            logger.warning("a push could not be noted as taken", metadata: about(pending, "\(error)"))
        }
    }

    private func finish(_ pending: PendingBackchannel, because cause: String) -> Settlement {
        logger.warning("a notice to a client was given up", metadata: about(pending, cause))
        return .finish
    }

    private func putOff(_ notice: QueuedNotice, because cause: String) -> Settlement {
        logger.info(
            "a notice to a client will be tried again",
            metadata: about(PendingBackchannel(notice.request), cause)
        )
        let delay = schedule.delay(after: notice.attempts + 1, jitter: facts.unitInterval())
        return .putOff(to: min(facts.now() + delay, notice.expiresAt))
    }

    /// Never the id, the endpoint's query or a token.
    private func about(_ pending: PendingBackchannel, _ cause: String) -> Logger.Metadata {
        [
            "operation": "\(pending.operation)", "client": "\(pending.clientID)",
            "delivery": "\(pending.delivery.rawValue)", "cause": "\(cause)",
        ]
    }

    /// Writes what became of a notice, as often as it takes until the lease ends: a delivered one must not go out again.
    private func settle(_ settlement: Settlement, _ claimed: Claimed) async {
        let (id, lease) = (claimed.notice.request.id, claimed.lease)
        while true {
            do {
                _ = try await unitOfWork.run { [store] transaction in
                    switch settlement {
                    case .finish: try store.finish(id, lease: lease, in: transaction)
                    case .putOff(let due): try store.putOff(id, to: due, lease: lease, in: transaction)
                    }
                }
                return
            } catch {
                logger.warning("a notice could not be settled", metadata: ["cause": "\(error)"])
                guard facts.now() + Self.afterFault < lease.until else { return }
                do { try await facts.clock.sleep(until: facts.clock.now + Self.afterFault) } catch { return }
            }
        }
    }
}
