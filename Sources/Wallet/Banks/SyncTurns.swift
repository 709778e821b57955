import Kernel
import Synchronization

/// One sync at a time per account and bank: whoever comes while it runs waits for its outcome, and gets that.
///
/// A bank's refresh token may be good once, and two that use it at once look like a theft (RFC 9700 §4.14.2).
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

    func run(_ key: Key, _ body: () async throws -> SyncResult) async throws -> SyncResult {
        guard let ticket = state.withLock({ $0.enter(key) }) else { return try await lead(key, body).get() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, ticket, key) }
        } onCancel: {
            let gone = state.withLock { $0.waiting[key]?.removeValue(forKey: ticket) }
            gone?.resume(returning: .failure(SyncRefusal.unavailable))
        }
        return try outcome.get()
    }

    private func lead(_ key: Key, _ body: () async throws -> SyncResult) async -> Outcome {
        let outcome: Outcome
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        let waiting = state.withLock { $0.leave(key) }
        for continuation in waiting { continuation.resume(returning: outcome) }
        return outcome
    }

    private func wait(_ continuation: Continuation, _ ticket: Int, _ key: Key) {
        let isKept = state.withLock { state in
            // The handler has run already if the task was cancelled before; the sync may have ended since.
            guard !Task.isCancelled, let waiting = state.waiting[key], waiting.count < Self.mostWaiting else {
                return false
            }
            state.waiting[key]?[ticket] = continuation
            return true
        }
        if !isKept { continuation.resume(returning: .failure(SyncRefusal.unavailable)) }
    }

    private struct State {
        /// A key is here for as long as its sync runs.
        var waiting: [Key: [Int: Continuation]] = [:]
        private var tickets = 0

        /// `nil` for the first, who leads.
        mutating func enter(_ key: Key) -> Int? {
            guard waiting[key] != nil else {
                waiting[key] = [:]
                return nil
            }
            tickets += 1
            return tickets
        }

        mutating func leave(_ key: Key) -> [Continuation] {
            waiting.removeValue(forKey: key).map { Array($0.values) } ?? []
        }
    }
}
