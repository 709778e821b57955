import Synchronization

/// One call at a time for each key: a caller that comes while the call is in progress joins the call, and gets its
/// outcome.
///
/// A call runs in a task of its own. A caller whose task is cancelled leaves at once, also the caller that began the
/// call. The call continues for the other callers, so that it has to end by itself, in bounded time.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    package typealias Call = @Sendable () async throws(Failure) -> Value

    package struct Limits: Sendable {
        /// Keys with a call in progress.
        let keys: Int
        /// Callers that wait for one key.
        let waiting: Int

        package init(keys: Int = .max, waiting: Int = .max) {
            self.keys = keys
            self.waiting = waiting
        }
    }

    /// The time after which a key's call may be lost, so that a second call is made beside it.
    package struct Patience: Sendable {
        let time: Duration
        let clock: any MonotonicClock

        /// Creates a patience that is counted from the start of the key's last call.
        package init(_ time: Duration, on clock: any MonotonicClock) {
            self.time = time
            self.clock = clock
        }
    }

    package enum Outcome: Sendable {
        case returned(Value)
        case failed(Failure)
        /// ``Limits`` are reached, or the instance is closed.
        case refused
        /// The caller's task was cancelled.
        case left
    }

    private typealias Continuation = CheckedContinuation<Outcome, Never>

    private let limits: Limits
    private let patience: Patience?
    private let state = Mutex(State())

    /// Creates an instance, in which a key may have several calls if there is a `patience`.
    ///
    /// The first call that succeeds answers all callers that wait. A failure answers them only when no other call of
    /// the key is left. After a success, an older call of the key answers no caller: the next caller makes a new call.
    package init(limits: Limits = Limits(), patience: Patience? = nil) {
        self.limits = limits
        self.patience = patience
    }

    /// The number of callers that wait for a call in progress.
    package var waitingCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiting.count } } }

    /// Whether the instance is closed, so that no call begins.
    package var isClosed: Bool { state.withLock(\.isClosed) }

    /// Keys with a call in progress.
    package var keys: [Key] { state.withLock { Array($0.flights.keys) } }

    /// Makes the call, or joins the call in progress.
    ///
    /// - Parameters:
    ///   - key: Callers with the same key share the call.
    ///   - known: Returns the value of an earlier call, if there is one: then no call is made. It runs with a lock held
    ///     and must not call this object. A call has to store its value there before it returns.
    ///   - call: Made if nothing is known and no other call is in progress.
    /// - Returns: The known value, or the outcome of the call, or why neither was waited for.
    package func run(_ key: Key, known: () -> Value? = { nil }, _ call: @escaping Call) async -> Outcome {
        if let value = known() { return .returned(value) }
        let ticket = state.withLock { $0.nextTicket() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let admission = state.withLock { state -> Admission in
                    // The handler has run already if the task was cancelled before it came here.
                    guard !Task.isCancelled else { return .answered(.left) }
                    // The call in progress may have ended since the first check.
                    if let value = known() { return .answered(.returned(value)) }
                    return state.join(key, continuation, ticket: ticket, within: limits, patience: patience)
                }
                switch admission {
                case .answered(let outcome): continuation.resume(returning: outcome)
                case .waits: return
                case .calls(let number): Task { await make(call, number: number, for: key) }
                }
            }
        } onCancel: {
            let gone = state.withLock { $0.flights[key]?.waiting.removeValue(forKey: ticket) }
            gone?.resume(returning: .left)
        }
    }

    /// Begins no call from now on, but lets the calls in progress continue.
    package func close() { state.withLock { $0.isClosed = true } }

    /// Returns when no call is in progress, or the task is cancelled.
    package func end() async {
        let ticket = state.withLock { $0.nextTicket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.flights.isEmpty, !Task.isCancelled else { return true }
                    state.ending[ticket] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let gone = state.withLock { $0.ending.removeValue(forKey: ticket) }
            gone?.resume()
        }
    }

    private func make(_ call: Call, number: Int, for key: Key) async {
        let outcome: Outcome
        do throws(Failure) { outcome = .returned(try await call()) } catch { outcome = .failed(error) }
        let (waiting, ending) = state.withLock { ($0.leave(key, number, with: outcome), $0.ended()) }
        for continuation in waiting { continuation.resume(returning: outcome) }
        for continuation in ending { continuation.resume() }
    }

    private enum Admission {
        case answered(Outcome)
        case waits
        /// The caller waits too, and its call is to be made.
        case calls(number: Int)
    }

    /// A key's calls, and the callers that wait for them.
    ///
    /// It exists for as long as one call runs, even when no caller waits.
    private struct Flight {
        /// The calls in progress, by number.
        var running: Set<Int> = [1]
        /// The number of the newest call.
        var begun = 1
        /// The newest call that succeeded; 0 before.
        var answered = 0
        var lastBegan: Uptime?
        var waiting: [Int: Continuation]

        /// Whether every call in progress began before a call that succeeded, so that no caller waits for it.
        var isStale: Bool { !running.contains { $0 > answered } }

        func isOverdue(_ patience: Patience?, at now: Uptime?) -> Bool {
            guard let patience, let now, let lastBegan else { return false }
            return now - lastBegan >= patience.time
        }
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var isClosed = false
        /// The callers that wait for the end of all calls.
        var ending: [Int: CheckedContinuation<Void, Never>] = [:]
        private var tickets = 0

        mutating func nextTicket() -> Int {
            tickets += 1
            return tickets
        }

        mutating func join(
            _ key: Key,
            _ continuation: Continuation,
            ticket: Int,
            within limits: Limits,
            patience: Patience?
        ) -> Admission {
            let now = patience?.clock.now
            guard let flight = flights[key] else {
                guard !isClosed, flights.count < limits.keys else { return .answered(.refused) }
                flights[key] = Flight(lastBegan: now, waiting: [ticket: continuation])
                return .calls(number: 1)
            }
            guard flight.waiting.count < limits.waiting, !(flight.isStale && isClosed) else {
                return .answered(.refused)
            }
            flights[key]?.waiting[ticket] = continuation
            guard flight.isStale || flight.isOverdue(patience, at: now), !isClosed else { return .waits }
            let number = flight.begun + 1
            flights[key]?.running.insert(number)
            flights[key]?.begun = number
            flights[key]?.lastBegan = now
            return .calls(number: number)
        }

        /// Returns the callers that get the outcome.
        mutating func leave(_ key: Key, _ number: Int, with outcome: Outcome) -> [Continuation] {
            guard var flight = flights[key] else { return [] }
            flight.running.remove(number)
            let isWanted = number > flight.answered
            if isWanted, case .returned = outcome { flight.answered = number }
            flights[key] = flight.running.isEmpty ? nil : flight
            guard isWanted else { return [] }
            // A failure answers no caller while another call may still succeed.
            if case .failed = outcome, !flight.isStale { return [] }
            flights[key]?.waiting = [:]
            return Array(flight.waiting.values)
        }

        /// Returns the callers that have waited for the end of all calls, once there is none.
        mutating func ended() -> [CheckedContinuation<Void, Never>] {
            guard flights.isEmpty else { return [] }
            defer { ending = [:] }
            return Array(ending.values)
        }
    }
}
