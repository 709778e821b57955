import Kernel
import Synchronization

@testable import Accounts

/// Lockouts in memory.
final class MemoryLockouts: LockoutStore {
    private let lockouts = Mutex<[Digest256: Lockout]>([:])

    var all: [Lockout] { lockouts.withLock { Array($0.values) } }

    func find(_ key: Digest256, in transaction: borrowing Transaction) throws -> Lockout? {
        lockouts.withLock { $0[key] }
    }

    func save(_ lockout: Lockout, _ key: Digest256, in transaction: borrowing Transaction) throws {
        lockouts.withLock { $0[key] = lockout }
    }

    func delete(_ key: Digest256, in transaction: borrowing Transaction) throws {
        lockouts.withLock { $0[key] = nil }
    }

    func purge(before instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        lockouts.withLock { lockouts in
            let old = lockouts.filter { $0.value.lastTriedAt < instant }
                .sorted { $0.value.lastTriedAt < $1.value.lastTriedAt }.prefix(limit)
            for (key, _) in old { lockouts[key] = nil }
            return old.count
        }
    }
}
