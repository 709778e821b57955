package import Kernel
package import Logging

/// Deletes rows of the audit that are too old, up to a checkpoint, so that what is left still verifies.
///
/// A purge is itself a row of the chain, with the number and the hash of the last row that it deletes. So rows that
/// disappear in another way show.
package final class AuditRetention: Sendable {
    private let chain: AuditChain
    private let seal: any CheckpointSealing
    private let log: any CheckpointLog
    private let unitOfWork: any UnitOfWork
    private let keep: Duration
    private let interval: Duration
    private let batch: Int
    private let facts: Facts
    private let logger: Logger

    /// `batch`: rows that one unit of work deletes.
    package init(
        chain: AuditChain,
        seal: any CheckpointSealing,
        log: any CheckpointLog,
        unitOfWork: any UnitOfWork,
        keep: Duration,
        interval: Duration,
        batch: Int,
        facts: Facts,
        logger: Logger
    ) {
        self.chain = chain
        self.seal = seal
        self.log = log
        self.unitOfWork = unitOfWork
        self.keep = keep
        self.interval = interval
        self.batch = batch
        self.facts = facts
        self.logger = logger
    }

    /// Sweeps at its interval until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do {
                let count = try await sweep()
                if count > 0 { logger.info("old rows of the audit were deleted", metadata: ["count": "\(count)"]) }
            } catch {
                // Told to stop in the middle of it: nothing has failed.
                guard !Task.isCancelled else { return }
                logger.warning("old rows of the audit could not be deleted", metadata: ["cause": "\(error)"])
            }
            do { try await facts.clock.sleep(until: facts.clock.now + interval) } catch { return }
        }
    }

    /// Deletes what is too old, batch by batch; returns how many rows went.
    package func sweep() async throws -> Int {
        let limit = facts.now() - keep
        guard let first = try await chain.store.rows(of: chain.node, from: Int64.min, limit: 1).first,
            first.entry.at < limit, let end = try newestCheckpoint(before: limit), end.number >= first.number
        else { return 0 }
        // What does not fit its checkpoint is evidence, and stays.
        guard let row = try await chain.store.rows(of: chain.node, from: end.number, limit: 1).first,
            row.number == end.number, row.hash.matches(end.hash)
        else { throw AuditMismatch(number: end.number) }
        return try await purge(through: end)
    }

    private func purge(through end: AuditCheckpoint) async throws -> Int {
        let record = AuditPurge(number: end.number, hash: end.hash).entry(node: chain.node, at: facts.now())
        var total = 0
        var isRecorded = false
        while !Task.isCancelled {
            let mustRecord = !isRecorded
            let count = try await unitOfWork.run { [chain, batch] transaction in
                // On record before the first row is gone, and durable with it.
                if mustRecord { try chain.append(record, in: transaction) }
                return try chain.store.delete(of: chain.node, through: end.number, limit: batch, in: transaction)
            }
            isRecorded = true
            total += count
            if count < batch { break }
        }
        return total
    }

    /// By halves: the log can be long, and each line read costs a signature.
    private func newestCheckpoint(before limit: Instant) throws -> AuditCheckpoint? {
        let lines = try log.lines()
        var low = 0
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            guard let checkpoint = seal.open(lines[middle]) else { throw AuditMismatch(number: 0) }
            if checkpoint.at <= limit { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? seal.open(lines[low - 1]) : nil
    }
}

/// The chain and its checkpoints tell different things, so nothing is deleted.
package struct AuditMismatch: Error, Equatable, CustomStringConvertible {
    /// The row in question; 0 when it is a checkpoint that can't be read.
    package let number: Int64

    package var description: String {
        number == 0
            ? "a checkpoint is none of ours; run `vestibule audit verify`"
            : "row \(number) is not the one that its checkpoint tells of; run `vestibule audit verify`"
    }
}
