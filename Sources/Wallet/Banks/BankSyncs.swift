import Kernel
import Synchronization

/// One sync at a time per account and bank: whoever comes while it runs joins it, and gets its outcome.
///
/// A bank's refresh token may be good once: two that use it at once look like a theft (RFC 9700 §4.14.2), and what the bank
/// gives for it has to be kept, or the wallet is shut out there. So a caller who goes away leaves at once, the first one too,
/// and one whose patience ends leaves then; the sync goes on without them: its end is bounded by that of each of its requests.
final class BankSyncs: Sendable {
    /// Callers that wait for one sync.
    private static let mostWaiting = 64

    struct Key: Hashable {
        let account: AccountID
        let bankID: String
    }

    private typealias Syncs = SingleFlight<Key, SyncResult, any Error>

    private let syncs = Syncs(limits: .init(waiting: BankSyncs.mostWaiting))

    /// Whether none begins any more.
    var isClosed: Bool { syncs.isClosed }

    /// How many wait for a sync that is under way.
    var waitingCount: Int { syncs.waitingCount }

    /// `deadline`: when the caller has waited for long enough, on that clock.
    ///
    /// - Throws: What `body` does; ``SyncError/unavailable`` to a caller who leaves before its end.
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

    /// Begins no sync from now on, and returns when none is under way, at the latest at `deadline`.
    ///
    /// - Returns: Those that are still under way then.
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
