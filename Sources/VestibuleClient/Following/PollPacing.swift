/// The times to poll again, and to stop polling.
///
/// A value without a clock: times come in as readings of one.
struct PollPacing: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        /// Ask after that pause.
        case ask(after: Duration)
        /// No further answer can come in time: the login ends after that pause.
        case giveUp(after: Duration)
    }

    /// The end of the login.
    private(set) var deadline: Duration
    /// The server's, in seconds.
    private(set) var interval: Duration
    /// The shortest interval after a "slow down" of the server: no later answer shortens it again.
    private var least: Duration = .zero
    private var faults = 0

    /// The last question is asked so long before the end that its answer can still arrive.
    static let lastAsk = Duration.seconds(1)
    /// The longest pause after network errors alone.
    static let slowest = Duration.seconds(5)

    init(deadline: Duration, interval: Int) {
        self.deadline = deadline
        self.interval = .seconds(interval)
    }

    /// Prolongs the login to `end`, as the server says; an earlier end than the known one changes nothing.
    mutating func prolong(to end: Duration) { deadline = max(deadline, end) }

    /// Returns the pause after a pending answer.
    ///
    /// A long poll that returned a change or used up its time is followed by the next one at once. Otherwise the rest
    /// of the interval is kept, or a server that ignores `wait` would be polled without end.
    mutating func pause(interval seconds: Int?, longPoll: Bool, took: Duration, moved: Bool) -> Duration {
        faults = 0
        if let seconds { interval = max(least, .seconds(BegunLogin.bounded(interval: seconds))) }
        guard longPoll else { return interval }
        return moved ? max(.zero, least - took) : max(.zero, interval - took)
    }

    /// Slows the polls down: the interval grows by five seconds for the rest of the login (RFC 8628 §3.5).
    ///
    /// It grows to the server's own value if it gives one, and to half a minute at most.
    mutating func slowDown(to asked: Duration?) {
        least = min(max(interval + .seconds(5), asked ?? interval), Reply.longestPause)
        interval = least
    }

    /// Returns the pause after a network error.
    ///
    /// It grows from the interval to ``slowest``, chosen in between by `random` (`0 ..< 1`). So the clients of a
    /// restarted server don't return at the same time. It is never shorter than the server's own pause.
    mutating func pauseAfterFault(retryAfter: Duration?, random: Double) -> Duration {
        faults = min(faults + 1, 4)
        let grown = min(interval * (1 << faults), max(interval, Self.slowest))
        return max(interval + (grown - interval) * random, retryAfter ?? interval)
    }

    /// Returns the next step at `now`.
    ///
    /// A pause that would pass the time for the last poll is shortened to it, though never below `notBefore`, the
    /// server's pause.
    func step(now: Duration, pause: Duration, notBefore: Duration? = nil) -> Step {
        let left = deadline - now
        let last = left - Self.lastAsk
        if pause <= last { return .ask(after: pause) }
        if last > .zero, notBefore.map({ last >= $0 }) ?? true { return .ask(after: last) }
        return .giveUp(after: max(.zero, left))
    }
}
