import Kernel
import Synchronization

/// Until when a stop waits for what is under way: one time for the server's requests and for what comes after them.
final class ShutdownDeadline: Sendable {
    private let clock: any MonotonicClock
    private let timeout: Duration
    private let begun = Mutex<Uptime?>(nil)

    /// `timeout`: from the beginning of the stop, `listen.drainTimeout`.
    init(_ timeout: Duration, clock: any MonotonicClock) {
        self.timeout = timeout
        self.clock = clock
    }

    /// The stop begins; what comes later begins it no second time.
    func begin() {
        let now = clock.now
        begun.withLock { $0 = $0 ?? now }
    }

    /// Of a stop that nobody has begun, as of now.
    var deadline: Uptime { (begun.withLock { $0 } ?? clock.now) + timeout }
}
