import Kernel
import Synchronization

/// The time until which a stop waits for work in progress: one for the server's requests and for what follows them.
final class ShutdownDeadline: Sendable {
    private let clock: any MonotonicClock
    private let timeout: Duration
    private let begun = Mutex<Uptime?>(nil)

    /// `timeout`: from the beginning of the stop, `listen.drainTimeout`.
    init(_ timeout: Duration, clock: any MonotonicClock) {
        self.timeout = timeout
        self.clock = clock
    }

    /// Begins the stop; a second call changes nothing.
    func begin() {
        let now = clock.now
        begun.withLock { $0 = $0 ?? now }
    }

    /// The deadline; of a stop that has not begun, as of now.
    var deadline: Uptime { (begun.withLock { $0 } ?? clock.now) + timeout }
}
