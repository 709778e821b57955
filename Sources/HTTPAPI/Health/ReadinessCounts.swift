import Synchronization

/// The number of answers of `/readyz`, by outcome.
package final class ReadinessCounts: Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case ready
        /// The database is damaged or cannot be written.
        case unavailable
        /// The clock differs from the database server's.
        case skewed
        /// Other daemons of the database exchange messages in another way (`storage.postgres.notices`).
        case unheard
        /// The daemon is stopping.
        case draining
        /// An operator has taken the daemon out of its load balancer.
        case drained
    }

    private let counts = Mutex<[Outcome: Int]>([:])

    package init() {}

    package subscript(_ outcome: Outcome) -> Int { counts.withLock { $0[outcome] ?? 0 } }

    func count(_ outcome: Outcome) { counts.withLock { $0[outcome, default: 0] += 1 } }
}
