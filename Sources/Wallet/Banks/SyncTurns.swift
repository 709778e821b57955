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
        let waiting = state.withLock { $0.leave(key) }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    private enum Place {
        /// Too many wait.
        case refused
        case waits
        /// The caller is the first, and its sync is to begin.
        case leads
    }

    private struct State {
        /// A key is here for as long as its sync runs, also when nobody waits any more.
        var waiting: [Key: [Int: Continuation]] = [:]
        private var tickets = 0

        mutating func nextTicket() -> Int {
            tickets += 1
            return tickets
        }

        mutating func join(_ continuation: Continuation, _ ticket: Int, _ key: Key) -> Place {
            guard let others = waiting[key] else {
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
    }
}
