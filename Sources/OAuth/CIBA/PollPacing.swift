package import Kernel

/// Decides whether a client polls too fast (CIBA Core §11, `slow_down`).
///
/// A client that waits its interval between two polls, to within a fifth, is never too fast. Neither is a client whose
/// poll is late and whose next poll then comes early, by half an interval. Each poll takes three quarters of an
/// interval from a budget that fills with time (the generic cell rate algorithm, ITU-T I.371). A client that polls
/// faster for a long time is told to slow down. It is within the budget again once it adds the five seconds. Refused
/// polls take nothing from the budget, so that no client is locked out.
package struct PollPacing: Sendable, Equatable {
    /// The seconds that a client has to add to its interval.
    package static let step = 5

    /// The time of the next poll of a client that polls as fast as it may.
    private var expected: Uptime?

    package init() {}

    /// Takes a poll from the budget; returns `false` if the poll comes too early.
    package mutating func take(at now: Uptime, interval: Duration) -> Bool {
        let least = interval * 3 / 4
        guard let due = expected, due > now else {
            expected = now + least
            return true
        }
        guard due - now <= interval / 2 else { return false }
        expected = due + least
        return true
    }
}
