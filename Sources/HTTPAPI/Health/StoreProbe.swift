import Kernel
import Synchronization

/// Checks at most once a second whether the database can be written, for any number of callers.
///
/// The check is a write that is synced to the disk, and anybody can call `/readyz`.
final class StoreProbe: Sendable {
    /// The time for which a result is valid.
    static let memory: Duration = .seconds(1)
    /// The time after which a check without a result counts as failed.
    static let patience: Duration = .seconds(5)

    private let clock: any MonotonicClock
    private let check: @Sendable () async throws -> Void
    private let state = Mutex(State())

    init(clock: any MonotonicClock, check: @escaping @Sendable () async throws -> Void) {
        self.clock = clock
        self.check = check
    }

    func isWritable() async -> Bool {
        let now = clock.now
        let known = state.withLock { state -> Bool? in
            if let asked = state.asked {
                // Another caller is checking already: the previous result is valid unless that takes too long.
                return now - asked < Self.patience && state.answer ?? true
            }
            if let answered = state.answered, now - answered < Self.memory { return state.answer }
            state.asked = now
            return nil
        }
        if let known { return known }
        var isWritable = true
        do { try await check() } catch { isWritable = false }
        let end = clock.now
        state.withLock { state in
            state.asked = nil
            state.answered = end
            state.answer = isWritable
        }
        return isWritable
    }

    private struct State {
        /// The time at which the check in progress began.
        var asked: Uptime?
        var answered: Uptime?
        var answer: Bool?
    }
}
