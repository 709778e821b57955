import Dispatch
import Kernel
import Synchronization

/// Lets units run side by side, or one alone.
///
/// Many units that write one row refuse each other again and again. A unit that was refused several times gets the
/// connections of this process for itself, until its own time is over. Units go in the order in which they come, so that
/// those behind one that is to run alone wait for it, each no longer than its own time. Units of other processes still
/// run beside it.
final class PostgresGate: Sendable {
    private struct Waiter {
        let isAlone: Bool
        let turn = DispatchSemaphore(value: 0)
    }

    private struct State {
        var running = 0
        var isAlone = false
        var waiting: [Waiter] = []

        mutating func enter(alone: Bool) -> Bool {
            guard !isAlone, !alone || running == 0 else { return false }
            running += 1
            isAlone = alone
            return true
        }

        /// Lets those in who can run now.
        mutating func proceed() {
            while let next = waiting.first, enter(alone: next.isAlone) {
                waiting.removeFirst()
                next.turn.signal()
            }
        }
    }

    private let state = Mutex(State())

    /// Runs `body`, which must not run another unit.
    ///
    /// - Parameters:
    ///   - alone: Whether no other unit of this process runs at the same time.
    ///   - time: The longest wait for the others.
    ///   - body: What runs.
    /// - Returns: The result of `body`.
    /// - Throws: ``StoreError/unavailable(cause:)`` after that wait, before `body` was run.
    func run<T>(alone: Bool, within time: Duration, _ body: () throws -> T) throws -> T {
        guard enter(alone: alone, within: time) else {
            throw StoreError.unavailable(cause: "units that write the same rows did not end in time")
        }
        defer { leave() }
        return try body()
    }

    private func enter(alone: Bool, within time: Duration) -> Bool {
        let waiter = state.withLock { state -> Waiter? in
            if state.waiting.isEmpty, state.enter(alone: alone) { return nil }
            let waiter = Waiter(isAlone: alone)
            state.waiting.append(waiter)
            return waiter
        }
        guard let turn = waiter?.turn else { return true }
        if turn.wait(timeout: .now() + .nanoseconds(Int(max(0, time.wholeNanoseconds)))) == .success { return true }
        return state.withLock { state in
            // It may have been let in meanwhile.
            guard let place = state.waiting.firstIndex(where: { $0.turn === turn }) else { return true }
            state.waiting.remove(at: place)
            state.proceed()
            return false
        }
    }

    private func leave() {
        state.withLock { state in
            state.running -= 1
            state.isAlone = false
            state.proceed()
        }
    }
}
