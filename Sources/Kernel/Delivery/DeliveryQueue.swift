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

    /// `taken`: the number of deliveries in progress, by group.
    package init(inAll: Int, perGroup: Int, taken: [String: Int] = [:]) {
        self.inAll = inAll
        self.perGroup = perGroup
        self.taken = taken
    }

    /// Returns the number of payloads of that group that may still be claimed.
    package func left(for group: String) -> Int { max(0, min(inAll, perGroup - (taken[group] ?? 0))) }
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
