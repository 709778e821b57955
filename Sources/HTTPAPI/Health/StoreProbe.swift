import Kernel
import Synchronization

/// Tells whether the store can be written, however many ask: it is asked once a second, by one at a time.
///
/// The question is a write that is synced to the disk, and `/readyz` is open to everybody.
final class StoreProbe: Sendable {
    /// How long an answer holds.
    static let memory: Duration = .seconds(1)
    /// A question that has no answer for so long is one.
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
                // Somebody else is asking: what was true before holds until that takes too long.
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
        /// When the question under way was asked.
        var asked: Uptime?
        var answered: Uptime?
        var answer: Bool?
    }
}
