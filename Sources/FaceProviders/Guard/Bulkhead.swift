import Synchronization

/// A number of slots, and a bounded queue for them, so that one slow provider can't occupy every task.
final class Bulkhead: Sendable {
    private let slots: @Sendable () -> Int
    private let queue: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - slots: The number of calls at one time, read at each call. With less than one no call would end the waiting.
    ///   - queue: The number of callers that may wait for a slot.
    init(slots: @escaping @Sendable () -> Int, queue: Int) {
        self.slots = { max(1, slots()) }
        self.queue = queue
    }

    /// The number of callers that wait.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Waits for a slot, in the order of arrival.
    ///
    /// - Returns: `false` when the queue is full or the task is cancelled. After `true` the caller must call
    ///   ``leave()``.
    func enter() async -> Bool {
        let slots = slots()
        let ticket = state.withLock { state -> Int in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isIn = state.withLock { state -> Bool? in
                    // The cancellation handler has already run if the task was cancelled before this point.
                    guard !Task.isCancelled else { return false }
                    guard state.used >= slots || !state.waiting.isEmpty else {
                        state.used += 1
                        return true
                    }
                    guard state.waiting.count < queue else { return false }
                    state.waiting.append(Waiting(ticket: ticket, continuation: continuation))
                    return nil
                }
                if let isIn { continuation.resume(returning: isIn) }
            }
        } onCancel: {
            let gone = state.withLock { state -> Waiting? in
                guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
                return state.waiting.remove(at: index)
            }
            gone?.continuation.resume(returning: false)
        }
    }

    /// Passes the slot to the caller that has waited longest, and further ones if there are more slots by now.
    func leave() {
        let slots = slots()
        let next = state.withLock { state -> [Waiting] in
            state.used -= 1
            let next = Array(state.waiting.prefix(max(0, slots - state.used)))
            state.waiting.removeFirst(next.count)
            state.used += next.count
            return next
        }
        for waiting in next { waiting.continuation.resume(returning: true) }
    }

    private struct State {
        var used = 0
        var lastTicket = 0
        var waiting: [Waiting] = []
    }

    private struct Waiting {
        let ticket: Int
        let continuation: CheckedContinuation<Bool, Never>
    }
}
