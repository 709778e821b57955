package import Kernel
package import Logging

/// Deletes operations that ended long ago, in small batches, so that the store stays bounded.
package final class Retention: Sendable {
    /// How much is kept, and how the sweep goes about it.
    package struct Policy: Sendable, Equatable {
        package let operations: Duration
        package let interval: Duration
        /// Rows in one unit of work.
        package let batch: Int

        package init(operations: Duration, interval: Duration, batch: Int) {
            self.operations = operations
            self.interval = interval
            self.batch = batch
        }
    }

    private let policy: Policy
    private let facts: Facts
    private let unitOfWork: any UnitOfWork
    private let store: any OperationStore
    private let logger: Logger

    package init(
        policy: Policy,
        facts: Facts,
        unitOfWork: any UnitOfWork,
        store: any OperationStore,
        logger: Logger
    ) {
        self.policy = policy
        self.facts = facts
        self.unitOfWork = unitOfWork
        self.store = store
        self.logger = logger
    }

    /// Sweeps at its interval until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do {
                let purged = try await sweep()
                if purged > 0 { logger.info("old operations were deleted", metadata: ["count": "\(purged)"]) }
            } catch {
                logger.warning("old operations could not be deleted", metadata: ["cause": "\(error)"])
            }
            do { try await facts.clock.sleep(until: facts.clock.now + policy.interval) } catch { return }
        }
    }

    /// Deletes all that is too old, batch by batch; returns how many rows went.
    package func sweep() async throws -> Int {
        let limit = facts.now() - policy.operations
        var total = 0
        while !Task.isCancelled {
            let count = try await unitOfWork.run { [store, policy] transaction in
                try store.purge(endedBefore: limit, limit: policy.batch, in: transaction)
            }
            total += count
            if count < policy.batch { break }
        }
        return total
    }
}
