import Kernel
import Synchronization

/// The deadline of a shutdown, which open requests and all later work share.
final class ShutdownDeadline: Sendable {
    private let clock: any MonotonicClock
    private let timeout: Duration
    private let begun = Mutex<Uptime?>(nil)

    /// `timeout`: `listen.drainTimeout`, counted from the start of the shutdown.
    init(_ timeout: Duration, clock: any MonotonicClock) {
        self.timeout = timeout
        self.clock = clock
    }

    /// Starts the shutdown, where a second call changes nothing.
    func begin() {
        let now = clock.now
        begun.withLock { $0 = $0 ?? now }
    }

    /// The deadline, which is counted from now before the shutdown has started.
    var deadline: Uptime { (begun.withLock { $0 } ?? clock.now) + timeout }
}
