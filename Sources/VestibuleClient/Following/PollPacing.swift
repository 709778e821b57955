/// Decides when to poll again and when to stop polling.
///
/// It has no clock: times are readings of the caller's monotonic clock.
struct PollPacing: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        /// Poll after that pause.
        case ask(after: Duration)
        /// No further answer can arrive in time. The login ends after that pause.
        case giveUp(after: Duration)
    }

    /// The end of the login.
    private(set) var deadline: Duration
    /// The interval between two polls that the server asks for.
    private(set) var interval: Duration
    /// The shortest interval after the server's `slow_down`.
    ///
    /// Later answers cannot shorten it.
    private var least: Duration = .zero
    private var faults = 0

    /// The time before the deadline of the last poll, so that its answer can still arrive.
    static let lastAsk = Duration.seconds(1)
    /// The longest pause after network errors, if the server asks for none.
    static let slowest = Duration.seconds(5)

    init(deadline: Duration, interval: Int) {
        self.deadline = deadline
        self.interval = .seconds(interval)
    }

    /// Moves the deadline to `end`, which the server has stated.
    ///
    /// An earlier `end` changes nothing.
    mutating func prolong(to end: Duration) { deadline = max(deadline, end) }

    /// Returns the pause after a pending answer.
    ///
    /// A long poll that returned a change or used up its time is followed by the next poll at once. Otherwise the rest
    /// of the interval is waited for, because a server may ignore `wait` and answer at once.
    mutating func pause(interval seconds: Int?, longPoll: Bool, took: Duration, moved: Bool) -> Duration {
        faults = 0
        if let seconds { interval = max(least, .seconds(BegunLogin.bounded(interval: seconds))) }
        guard longPoll else { return interval }
        return moved ? max(.zero, least - took) : max(.zero, interval - took)
    }

    /// Lengthens the interval by five seconds for the rest of the login (RFC 8628 §3.5).
    ///
    /// If the server asks for a longer interval, that is used. The interval is at most half a minute.
    mutating func slowDown(to asked: Duration?) {
        least = min(max(interval + .seconds(5), asked ?? interval), Reply.longestPause)
        interval = least
    }

    /// Returns the pause after a network error.
    ///
    /// It is a random value from the interval to a bound that doubles with each error, up to ``slowest``. `random` is
    /// in `0 ..< 1`. So the clients of a restarted server do not return at the same time. The pause is never shorter
    /// than the one that the server asks for.
    mutating func pauseAfterFault(retryAfter: Duration?, random: Double) -> Duration {
        faults = min(faults + 1, 4)
        let grown = min(interval * (1 << faults), max(interval, Self.slowest))
        return max(interval + (grown - interval) * random, retryAfter ?? interval)
    }

    /// Returns the next step at `now`.
    ///
    /// A pause beyond the time of the last poll is shortened to that time, but never below `notBefore`, the pause that
    /// the server asks for.
    func step(now: Duration, pause: Duration, notBefore: Duration? = nil) -> Step {
        let left = deadline - now
        let last = left - Self.lastAsk
        if pause <= last { return .ask(after: pause) }
        if last > .zero, notBefore.map({ last >= $0 }) ?? true { return .ask(after: last) }
        return .giveUp(after: max(.zero, left))
    }
}
