import Synchronization

/// The result of a parked poll, for the history that waits for it.
final class Awakening: Sendable {
    enum Outcome: Sendable {
        case free
        /// It had to give way to another poll, or was not let in.
        case gaveWay
        /// It slept on, long after it had to be awake.
        case never
    }

    private let state = Mutex(State())

    /// Whether the poll has come back.
    var isOver: Bool { state.withLock { $0.outcome != nil } }

    /// The first word counts.
    func end(_ outcome: Outcome) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.outcome == nil { state.outcome = outcome }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Waits for it, in real time for as long as the most loaded machine may need: the caller knows that it has been
    /// woken.
    func outcome() async -> Outcome {
        if let outcome = state.withLock(\.outcome) { return outcome }
        let watchdog = Task {
            try await Task.sleep(for: .seconds(120))
            end(.never)
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state -> Bool in
                if state.outcome == nil { state.waiting = continuation }
                return state.outcome != nil
            }
            if isOver { continuation.resume() }
        }
        watchdog.cancel()
        return state.withLock(\.outcome) ?? .never
    }

    private struct State {
        var outcome: Outcome?
        var waiting: CheckedContinuation<Void, Never>?
    }
}
