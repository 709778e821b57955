package import Kernel

/// Whether a client polls too fast (CIBA Core §11, `slow_down`).
///
/// A client that waits its interval between two polls, give or take a fifth, never does; nor does one whose polls come late and
/// then close together, by half an interval. Each poll takes three quarters of an interval of a budget that fills with time
/// (the generic cell rate algorithm, ITU-T I.371), so that a client which polls faster than that for long is told to slow
/// down, and one that has once been told so is within bounds as soon as it adds the five seconds. Polls that were told so
/// take nothing: a client that hears of it late isn't held to account for them, and none is ever shut out.
package struct PollPacing: Sendable, Equatable {
    /// What a client has to add to its interval, in seconds.
    package static let step = 5

    /// When the next poll would come of a client that polls as fast as it may.
    private var expected: Uptime?

    package init() {}

    /// Takes a poll of its budget; `false` if it comes too early.
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
