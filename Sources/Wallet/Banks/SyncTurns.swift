import Kernel
import Synchronization

/// One sync at a time per account and bank: whoever comes while it runs joins it, and gets its outcome.
///
/// A bank's refresh token may be good once: two that use it at once look like a theft (RFC 9700 §4.14.2), and what the bank
/// gives for it has to be kept, or the wallet is shut out there. So a caller who goes away leaves at once, the first one too,
/// and one whose patience ends leaves then; the sync goes on without them: its end is bounded by that of each of its requests.
final class SyncTurns: Sendable {
    /// Callers that wait for one sync.
    private static let mostWaiting = 64

    struct Key: Hashable {
        let account: AccountID
        let bankID: String
    }

    private typealias Outcome = Result<SyncResult, any Error>
    private typealias Continuation = CheckedContinuation<Outcome, Never>

    private let state = Mutex(State())

    /// Whether none begins any more.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// How many wait for a sync that is under way.
    var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// `deadline`: when the caller has waited for long enough, on that clock.
    ///
    /// - Throws: What `body` does; ``SyncRefusal/unavailable`` to a caller who leaves before its end.
    func run(
        _ key: Key,
        until deadline: Uptime,
        on clock: any MonotonicClock,
        _ body: @escaping @Sendable () async throws -> SyncResult
    ) async throws -> SyncResult {
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask { await self.wait(key, body) }
            group.addTask {
                try? await clock.sleep(until: deadline)
                return Self.givenUp
            }
            let first = await group.next() ?? Self.givenUp
            group.cancelAll()
            return first
        }
        return try outcome.get()
    }

    /// Begins no sync from now on, and returns when none is under way, at the latest at `deadline`.
    ///
    /// - Returns: Those that are still under way then.
    func close(until deadline: Uptime, on clock: any MonotonicClock) async -> [Key] {
        let isOver = state.withLock { state in
            state.isClosed = true
            return state.waiting.isEmpty
        }
        guard !isOver else { return [] }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.end() }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
        return state.withLock { Array($0.waiting.keys) }
    }

    /// Returns when no sync is under way, or the task is cancelled.
    private func end() async {
        let ticket = state.withLock { $0.nextTicket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // The handler has run already if the task was cancelled before it came here.
                    guard !state.waiting.isEmpty, !Task.isCancelled else { return true }
                    state.closing[ticket] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let gone = state.withLock { $0.closing.removeValue(forKey: ticket) }
            gone?.resume()
        }
    }

    private func wait(_ key: Key, _ body: @escaping @Sendable () async throws -> SyncResult) async -> Outcome {
        let ticket = state.withLock { $0.nextTicket() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { join($0, ticket, key, body) }
        } onCancel: {
            let gone = state.withLock { $0.waiting[key]?.removeValue(forKey: ticket) }
            gone?.resume(returning: Self.givenUp)
        }
    }

    private static let givenUp = Outcome.failure(SyncRefusal.unavailable)

    private func join(
        _ continuation: Continuation,
        _ ticket: Int,
        _ key: Key,
        _ body: @escaping @Sendable () async throws -> SyncResult
    ) {
        // The handler has run already if the task was cancelled before it came here.
        let place = state.withLock { Task.isCancelled ? .refused : $0.join(continuation, ticket, key) }
        switch place {
        case .refused: continuation.resume(returning: Self.givenUp)
        case .waits: return
        case .leads: Task { await lead(key, body) }
        }
    }

    private func lead(_ key: Key, _ body: () async throws -> SyncResult) async {
        let outcome: Outcome
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        let (waiting, closing) = state.withLock { ($0.leave(key), $0.closed()) }
        for continuation in waiting { continuation.resume(returning: outcome) }
        for continuation in closing { continuation.resume() }
    }

    private enum Place {
        /// Too many wait, or none begins any more.
        case refused
        case waits
        /// The caller is the first, and its sync is to begin.
        case leads
    }

    private struct State {
        /// A key is here for as long as its sync runs, also when nobody waits any more.
        var waiting: [Key: [Int: Continuation]] = [:]
        var isClosed = false
        /// Who waits for the end of all of them.
        var closing: [Int: CheckedContinuation<Void, Never>] = [:]
        private var tickets = 0

        mutating func nextTicket() -> Int {
            tickets += 1
            return tickets
        }

        mutating func join(_ continuation: Continuation, _ ticket: Int, _ key: Key) -> Place {
            guard let others = waiting[key] else {
                guard !isClosed else { return .refused }
                waiting[key] = [ticket: continuation]
                return .leads
            }
            guard others.count < SyncTurns.mostWaiting else { return .refused }
            waiting[key]?[ticket] = continuation
            return .waits
        }

        mutating func leave(_ key: Key) -> [Continuation] {
            waiting.removeValue(forKey: key).map { Array($0.values) } ?? []
        }

        /// Those who have waited for the end of all, once that is there.
        mutating func closed() -> [CheckedContinuation<Void, Never>] {
            guard waiting.isEmpty else { return [] }
            defer { closing = [:] }
            return Array(closing.values)
        }
    }
}
