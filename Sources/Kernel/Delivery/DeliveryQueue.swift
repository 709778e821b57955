/// A leased queue with the transport of its payloads, from which ``DeliveryWorker`` delivers.
package protocol DeliveryQueue: Sendable {
    associatedtype Payload: QueuedDelivery
    associatedtype Failure: Sendable

    /// Raised when the queue may have payloads to deliver.
    var signal: WorkSignal { get }

    /// Claims due payloads, the longest due first, and sets their next due time to the lease's end.
    ///
    /// - Returns: The payloads, and `nextDue`, the due time of the next payload, if there is one.
    func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant
    ) async throws -> (payloads: [Payload], nextDue: Instant?)

    /// Tries to deliver a payload once.
    func send(_ payload: Payload) async -> DeliveryOutcome<Failure>

    /// Writes the outcome of a payload to the queue; returns `false` if the lease was lost.
    func settle(
        _ payload: Payload,
        as settlement: DeliverySettlement<Failure>,
        under lease: DeliveryLease,
        at now: Instant
    ) async throws -> Bool

    /// Logs and counts the outcome of a payload, before it is written.
    func report(_ settlement: DeliverySettlement<Failure>, of payload: Payload)

    func report(_ trouble: DeliveryTrouble<Payload>)
}

/// A payload of a queue, as it was claimed.
package protocol QueuedDelivery: Sendable {
    /// The number of failed tries.
    var attempts: Int { get }
    /// The time from which the payload is useless, and is dropped.
    var expiresAt: Instant { get }
    /// The group whose concurrent deliveries are bounded together; `nil` for no such bound.
    var concurrencyGroup: String? { get }
    /// The longest delay between two tries of the payload; `nil` for that of the ``RetrySchedule``.
    var longestDelay: Duration? { get }
}

extension QueuedDelivery {
    package var concurrencyGroup: String? { nil }
    package var longestDelay: Duration? { nil }
}

/// The right to deliver the payloads that were claimed with it, until it ends.
///
/// A worker whose lease has ended changes nothing: another worker may have claimed the payload since.
package struct DeliveryLease: Sendable, Equatable {
    package let token: UUIDBits
    package let until: Instant

    package init(token: UUIDBits, until: Instant) {
        self.token = token
        self.until = until
    }
}

/// How many payloads may be claimed: in all, and of each group.
package struct DeliveryCapacity: Sendable, Equatable {
    package let inAll: Int
    private let perGroup: Int
    private let taken: [String: Int]
    private let failing: Set<String>
    private let inAllOfFailing: Int

    /// - Parameters:
    ///   - inAll: The number of payloads that may be claimed.
    ///   - perGroup: The number of deliveries of one group that may be in progress.
    ///   - taken: The number of deliveries in progress, by group.
    ///   - failing: The groups whose last delivery failed.
    ///   - mostOfFailing: The number of deliveries of all failing groups that may be in progress.
    package init(
        inAll: Int,
        perGroup: Int,
        taken: [String: Int] = [:],
        failing: Set<String> = [],
        mostOfFailing: Int = .max
    ) {
        self.inAll = inAll
        self.perGroup = perGroup
        self.taken = taken
        self.failing = failing
        inAllOfFailing = max(0, mostOfFailing - failing.reduce(0) { $0 + (taken[$1] ?? 0) })
    }

    /// Returns the number of payloads of that group that may still be claimed: one at a time of a failing group.
    package func left(for group: String) -> Int {
        let isFailing = failing.contains(group)
        let most = min(isFailing ? 1 : perGroup, perGroup) - (taken[group] ?? 0)
        return max(0, min(inAll, most, isFailing ? inAllOfFailing : inAll))
    }

    /// Returns the first of the due payloads that may be claimed in all, so that failing groups leave room for others.
    ///
    /// `due`: the payloads in their order, of each group no more than ``left(for:)``.
    package func first<Due>(of due: [Due], group: (Due) -> String) -> [Due] {
        var left = inAllOfFailing
        let fitting = due.filter { payload in
            guard failing.contains(group(payload)) else { return true }
            left -= 1
            return left >= 0
        }
        return Array(fitting.prefix(inAll))
    }
}

/// The outcome of one try.
package enum DeliveryOutcome<Failure: Sendable>: Sendable {
    case delivered
    /// A permanent error: another try would fail too.
    case refused(Failure)
    /// A temporary error: the payload is tried again.
    case failed(Failure)
}

extension DeliveryOutcome: Equatable where Failure: Equatable {}

/// The outcome of a payload, as the queue stores it.
package enum DeliverySettlement<Failure: Sendable>: Sendable {
    case delivered
    /// The payload expired, or was tried too often.
    case expired
    case refused(Failure)
    case putOff(to: Instant, Failure)
}

/// A database error of a worker's queue, or a lost lease.
package enum DeliveryTrouble<Payload: Sendable>: Sendable {
    case unreadable(any Error)
    case unsettled(Payload, any Error)
    /// The payload was settled after its lease had ended.
    case late(Payload)
}
