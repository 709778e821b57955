import Synchronization

/// Holds whoever comes until it is opened.
final class Gate: Sendable {
    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let resumed = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.hasArrived = true
                defer { state.watchers = [] }
                if state.isOpen { return state.watchers + [continuation] }
                state.held.append(continuation)
                return state.watchers
            }
            for one in resumed { one.resume() }
        }
    }

    /// Returns once somebody has come.
    func waitForCaller() async {
        await withCheckedContinuation { continuation in
            let hasArrived = state.withLock { state -> Bool in
                if !state.hasArrived { state.watchers.append(continuation) }
                return state.hasArrived
            }
            if hasArrived { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for one in held { one.resume() }
    }

    private struct State {
        var isOpen = false
        var hasArrived = false
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }
}
