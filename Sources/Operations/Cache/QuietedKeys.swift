import Kernel
import Synchronization

/// The initiators that get decoys at the moment, for daemons that may have missed the message about them.
///
/// They are limited in number, and the oldest are dropped first.
final class QuietedKeys: Sendable {
    private static let capacity = 500
    /// The least time between two repetitions, however many daemons ask.
    private static let pause: Duration = .seconds(1)

    private struct State {
        /// Until when each is kept quiet.
        var ends = BoundedMap<UInt64, Uptime>(capacity: QuietedKeys.capacity)
        var isAsked = false
        var next = Uptime(nanoseconds: .min)
    }

    private let state = Mutex(State())

    func note(_ key: UInt64, until end: Uptime) {
        state.withLock { state in _ = state.ends.set(max(end, state.ends[key] ?? end), for: key) }
    }

    /// Notes that another daemon asks for them.
    func ask() { state.withLock { $0.isAsked = true } }

    /// Returns how long each is still kept quiet, if a daemon has asked since the last call; `nil` otherwise.
    func takeAsked(at now: Uptime) -> [UInt64: Duration]? {
        state.withLock { state in
            guard state.isAsked, now >= state.next else { return nil }
            state.isAsked = false
            state.next = now + Self.pause
            return state.ends.all.filter { $0.value >= now + .milliseconds(1) }.mapValues { $0 - now }
        }
    }
}

extension OperationService {
    /// Turns an initiator's starts into decoys, as another daemon has done.
    ///
    /// `time`: How long that is to last; at most the period of this daemon's limits counts.
    func quiet(key: UInt64, for time: Duration) {
        let time = min(time, (limits.rates?.logins ?? LoginRates()).quietPeriod)
        limits.hush(key: key, for: time)
        admission.quieted.note(key, until: environment.clock.now + time)
    }

    /// Tells other daemons again who is kept quiet here, if one of them has missed messages.
    func repeatQuieted() {
        for (key, left) in admission.quieted.takeAsked(at: environment.clock.now) ?? [:] {
            ports.feed.announce(.quieted(key: key, milliseconds: left.wholeMilliseconds))
        }
    }
}
