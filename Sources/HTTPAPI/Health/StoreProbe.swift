import Kernel
import Synchronization

/// Tells whether the store can be written, for any number of callers: one at a time checks it, once a second.
///
/// The check is a write that is synced to the disk, and `/readyz` is open to everybody.
final class StoreProbe: Sendable {
    /// The time for which an answer is valid.
    static let memory: Duration = .seconds(1)
    /// The time after which a check without an answer counts as failed.
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
                // Another caller checks already: the previous answer is valid until that takes too long.
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
