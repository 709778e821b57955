import Kernel
import Synchronization

/// Runs one sync at a time per account and bank; concurrent callers join it and get its outcome.
///
/// A bank's refresh token may be valid once, and two concurrent uses look like theft (RFC 9700 §4.14.2). After a lost
/// response the person must sign in at the bank again. So a sync continues without callers that are cancelled or reach
/// their deadline. The timeouts of its requests bound it, and the lease of another daemon that it waits for.
final class BankSyncs: Sendable {
    /// The most callers that wait for one sync.
    private static let mostWaiting = 64

    struct Key: Hashable {
        let account: AccountID
        let bankID: String
    }

    private typealias Syncs = SingleFlight<Key, SyncResult, any Error>

    private let syncs = Syncs(limits: .init(waiting: BankSyncs.mostWaiting))

    /// Whether no sync can begin any more.
    var isClosed: Bool { syncs.isClosed }

    /// The number of callers that wait for a running sync.
    var waitingCount: Int { syncs.waitingCount }

    /// Runs a sync or joins the running one, and waits until `deadline` on `clock`.
    ///
    /// - Throws: The error of `body`; ``SyncError/unavailable`` to a caller that leaves before the end.
    func run(
        _ key: Key,
        until deadline: Uptime,
        on clock: any MonotonicClock,
        _ body: @escaping @Sendable () async throws -> SyncResult
    ) async throws -> SyncResult {
        let outcome = await withTaskGroup(of: Syncs.Outcome.self) { group in
            group.addTask { await self.syncs.run(key, body) }
            group.addTask {
                try? await clock.sleep(until: deadline)
                return .left
            }
            let first = await group.next() ?? .left
            group.cancelAll()
            return first
        }
        switch outcome {
        case .returned(let result): return result
        case .failed(let error): throw error
        case .refused, .left: throw SyncError.unavailable
        }
    }

    /// Prevents new syncs, and waits until none runs, or until `deadline`.
    ///
    /// - Returns: The syncs that still run at the deadline.
    func close(until deadline: Uptime, on clock: any MonotonicClock) async -> [Key] {
        syncs.close()
        guard !syncs.keys.isEmpty else { return [] }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.syncs.end() }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
        return syncs.keys
    }
}
