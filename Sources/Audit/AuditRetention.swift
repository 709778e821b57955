import Dispatch
package import Kernel
package import Logging

/// Deletes audit rows that are too old, up to a checkpoint, so that the remaining rows still verify.
///
/// Each purge is recorded in its chain, with the number and the hash of the last row that it deletes. Rows that
/// disappear in another way are therefore noticed.
///
/// Of several daemons on one database the leader does so. If two do it at once, a purge is recorded twice, and each row is
/// deleted once.
package final class AuditRetention: Sendable {
    private let chain: AuditChain
    private let checkpoints: CheckpointHistory
    private let unitOfWork: any UnitOfWork
    private let policy: AuditRetentionPolicy
    private let time: SweepClock
    private let rounds: LeaderRounds
    private let logger: Logger
    /// Reads the log of checkpoints.
    private static let queue = DispatchQueue(label: "vestibule.audit.retention", attributes: .concurrent)

    /// `time`: The verified wall-clock time that decides which rows are old.
    ///
    /// `rounds`: Times the sweeps.
    package init(
        chain: AuditChain,
        checkpoints: CheckpointHistory,
        unitOfWork: any UnitOfWork,
        policy: AuditRetentionPolicy,
        time: SweepClock,
        rounds: LeaderRounds,
        logger: Logger
    ) {
        self.chain = chain
        self.checkpoints = checkpoints
        self.unitOfWork = unitOfWork
        self.policy = policy
        self.time = time
        self.rounds = rounds
        self.logger = logger
    }

    /// Sweeps at each interval until the task is cancelled, but not while the wall clock is doubtful.
    package func run() async { await rounds.run { await sweepOrWarn() } }

    private func sweepOrWarn() async {
        do {
            let count = if let now = time.now { try await sweep(at: now) } else { 0 }
            if count > 0 { logger.info("old rows of the audit were deleted", metadata: ["count": "\(count)"]) }
        } catch {
            // A cancelled sweep has not failed.
            guard !Task.isCancelled else { return }
            logger.warning("old rows of the audit could not be deleted", metadata: ["cause": "\(error)"])
        }
    }

    /// Deletes rows that are too old at `now`, a verified time (``SweepClock``), batch by batch; returns how many were
    /// deleted.
    ///
    /// Nothing is deleted while a chain contradicts its checkpoints.
    package func sweep(at now: Instant) async throws -> Int {
        let limit = now - policy.keep
        var first: [String: Int64] = [:]
        for name in try await chain.names() {
            guard let row = try await chain.store.rows(of: name, from: Int64.min, limit: 1).first,
                row.entry.at < limit
            else { continue }
            first[name] = row.number
        }
        guard !first.isEmpty else { return 0 }
        var ends: [AuditCheckpoint] = []
        let newest = try await Self.queue.waiting { [checkpoints, names = Array(first.keys)] in
            try checkpoints.newest(of: names, before: limit)
        }
        for (name, end) in newest {
            guard let first = first[name], end.number >= first,
                // A checkpoint that was signed while the clock was behind looks older than its rows.
                try await isOld(first...end.number, of: name, limit: limit, at: now)
            else { continue }
            if try await match(end) { ends.append(end) }
        }
        var total = 0
        for end in ends { total += try await purge(through: end, at: now) }
        return total
    }

    /// Whether the row of the checkpoint is there; `false` if another daemon has purged it meanwhile.
    ///
    /// A row that contradicts its checkpoint is evidence, and is not deleted.
    private func match(_ end: AuditCheckpoint) async throws -> Bool {
        let row = try await chain.store.rows(of: end.node, from: end.number, limit: 1).first
        if let row, row.number == end.number, row.hash.matches(end.hash) { return true }
        let first = try await chain.store.rows(of: end.node, from: Int64.min, limit: 1).first
        guard let first, first.number > end.number else {
            throw AuditMismatchError(number: end.number, chain: chain.label(of: end.node))
        }
        return false
    }

    private func purge(through end: AuditCheckpoint, at now: Instant) async throws -> Int {
        let record = AuditPurge(number: end.number, hash: end.hash).entry(of: end.node, at: now)
        // The purge is recorded before it begins, in a unit of its own. A unit that also deletes rows would take so
        // long that another row is appended to the chain meanwhile.
        _ = try await unitOfWork.run { [chain] transaction in
            try chain.append(record, to: end.node, in: transaction)
        }
        var total = 0
        while !Task.isCancelled {
            let count = try await unitOfWork.run { [store = chain.store, batch = policy.batch] transaction in
                try store.delete(of: end.node, through: end.number, limit: batch, in: transaction)
            }
            total += count
            if count < policy.batch { break }
        }
        return total
    }

    /// Whether none of the rows is younger than `limit`.
    ///
    /// Rows that are dated later than `now` are ignored: they were written while the clock was ahead.
    private func isOld(
        _ numbers: ClosedRange<Int64>,
        of name: String,
        limit: Instant,
        at now: Instant
    ) async throws -> Bool {
        var next = numbers.lowerBound
        while next <= numbers.upperBound {
            let rows = try await chain.store.rows(of: name, from: next, limit: policy.batch)
            let isYoung = rows.contains { row in
                row.number <= numbers.upperBound && row.entry.at > limit && row.entry.at <= now
            }
            if isYoung { return false }
            guard let last = rows.last else { break }
            next = last.number + 1
        }
        return true
    }
}

/// How long rows of the audit are kept, and how they are deleted.
package struct AuditRetentionPolicy: Sendable {
    let keep: Duration
    /// The number of rows that one unit of work deletes.
    let batch: Int

    package init(keep: Duration, batch: Int) {
        self.keep = keep
        self.batch = batch
    }
}

/// A chain contradicts its checkpoints, so nothing is deleted.
package struct AuditMismatchError: Error, Equatable, CustomStringConvertible {
    /// The number of the row that differs; 0 when a checkpoint can't be read.
    package let number: Int64
    /// `nil` for the chain with the node's own name.
    package internal(set) var chain: String?

    package var description: String {
        number == 0
            ? "a checkpoint was not signed by this server. Run `vestibule audit verify`"
            : "row \(number)\(chain.map { " of \($0)" } ?? "") is not the one that its checkpoint signed. Run `vestibule audit verify`"
    }
}
