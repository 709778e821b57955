/// A leased queue and the transport of its payloads: what ``DeliveryWorker`` delivers from.
package protocol DeliveryQueue: Sendable {
    associatedtype Payload: QueuedDelivery
    associatedtype Failure: Sendable

    /// Raised when there is something new in the queue.
    var signal: WorkSignal { get }

    /// Claims payloads that are due, the longest due first, and postpones them to the lease's end.
    ///
    /// - Returns: The payloads, and `nextDue`, the time of the next one, if there is one.
    func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant
    ) async throws -> (payloads: [Payload], nextDue: Instant?)

    /// Tries a payload once.
    func send(_ payload: Payload) async -> DeliveryOutcome<Failure>

    /// Writes what became of a payload; `false` if the lease was lost.
    func settle(
        _ payload: Payload,
        as settlement: DeliverySettlement<Failure>,
        under lease: DeliveryLease,
        at now: Instant
    ) async throws -> Bool

    /// Logs and counts what became of a payload, before it is written.
    func report(_ settlement: DeliverySettlement<Failure>, of payload: Payload)

    func report(_ trouble: DeliveryTrouble<Payload>)
}

/// A payload of a queue, as it was claimed.
package protocol QueuedDelivery: Sendable {
    /// The number of failed tries.
    var attempts: Int { get }
    /// The time from which the payload is pointless, and is dropped.
    var expiresAt: Instant { get }
    /// Whose part of the concurrent deliveries it takes; `nil` if that has no bound of its own.
    var concurrencyGroup: String? { get }
    /// The longest delay between two of its tries; `nil` for the schedule's.
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

    /// `taken`: The deliveries in progress, by group.
    package init(inAll: Int, perGroup: Int, taken: [String: Int] = [:]) {
        self.inAll = inAll
        self.perGroup = perGroup
        self.taken = taken
    }

    /// Returns what is left for that group.
    package func left(for group: String) -> Int { max(0, min(inAll, perGroup - (taken[group] ?? 0))) }
}

/// The outcome of one try.
package enum DeliveryOutcome<Failure: Sendable>: Sendable {
    case delivered
    /// A permanent error: another try would fare no better.
    case refused(Failure)
    /// A temporary error: the payload is tried again.
    case failed(Failure)
}

extension DeliveryOutcome: Equatable where Failure: Equatable {}

/// The result that is written about a payload.
package enum DeliverySettlement<Failure: Sendable>: Sendable {
    case delivered
    /// The payload's time was over, or it was tried too often.
    case expired
    case refused(Failure)
    case putOff(to: Instant, Failure)
}

/// An error between a worker and its store.
package enum DeliveryTrouble<Payload: Sendable>: Sendable {
    case unreadable(any Error)
    case unsettled(Payload, any Error)
    /// The payload was settled after its lease had ended.
    case late(Payload)
}
