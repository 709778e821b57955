package import Kernel
import Synchronization

/// The uses of limits that all daemons of a PostgreSQL database count together.
///
/// A use is one statement on one of the daemon's connections, outside any unit of work. It waits as long as a statement
/// may, and fails after that.
package final class PostgresSharedUses: SharedUses {
    /// The pause between two deletions of expired rows.
    private static let pause: Duration = .seconds(10)
    /// The pause after a deletion that may have left some.
    private static let shortPause: Duration = .milliseconds(500)

    private let database: PostgresDatabase
    /// From when expired rows are deleted again; `nil` while a deletion is in progress.
    private let nextDeletion = Mutex<Uptime?>(Uptime(nanoseconds: .min))

    package init(_ database: PostgresDatabase) { self.database = database }

    package func take(_ key: UInt64, _ limit: RateLimit) async throws(StoreError) -> Duration? {
        try await run { try $0.take(key, limit) }
    }

    package func giveBack(_ key: UInt64, _ limit: RateLimit) async throws(StoreError) {
        try await run { try $0.giveBack(key, limit) }
    }

    package func mark(_ key: UInt64, for time: Duration) async throws(StoreError) {
        try await run { try $0.mark(key, for: time) }
    }

    package func paid(_ keys: [UInt64]) async throws(StoreError) -> [UInt64: Duration] {
        try await run { try $0.paid(keys) }
    }

    private func run<T: Sendable>(
        _ statement: @escaping @Sendable (PostgresLimitRows) throws -> T
    ) async throws(StoreError) -> T {
        do {
            return try await database.pool.run { [metrics = database.metrics] lane in
                try PostgresAttempts.run(on: lane, metrics: metrics) { try statement(PostgresLimitRows($0)) }
            } afterwards: { [self] lane in
                // The caller has its answer already.
                deleteExpired(on: lane)
            }
        } catch { throw StoreError(error) }
    }

    /// Deletes a few expired rows, if none were deleted lately.
    private func deleteExpired(on lane: PostgresLane) {
        let isDue = nextDeletion.withLock { next in
            guard let due = next, due <= lane.now else { return false }
            next = nil
            return true
        }
        guard isDue else { return }
        var pause = Self.pause
        // What can't be deleted now is deleted later, so that no error matters.
        if lane.isConnected, let deleted = try? PostgresLimitRows(lane.connection()).deleteExpired(),
            deleted == PostgresLimitRows.batch
        {
            pause = Self.shortPause
        }
        let next = lane.now + pause
        nextDeletion.withLock { $0 = next }
    }
}
