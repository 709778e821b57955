package import Kernel
package import Logging

/// Deletes old rows in small batches, so that the database stays bounded.
///
/// Of several daemons on one database the leader does so. If two do it at once, each row is deleted once.
package final class Retention: Sendable {
    /// A kind of rows, and how long they are kept.
    package struct Rule: Sendable {
        /// Notes what has ended by the time of a sweep, which is to be known before its rows are deleted.
        package typealias Preparation = @Sendable (_ now: Instant) async throws -> Void

        /// The name of these rows in the log.
        package let rows: String
        /// The time from a row's end to its deletion.
        package let keep: Duration
        /// Whether the rows live for minutes, and an early deletion only makes a person start again.
        ///
        /// They are deleted even while the wall clock can't be trusted, because unauthenticated callers can create
        /// some.
        package let isBrief: Bool
        /// Runs before these rows are deleted, which stay if it fails.
        let preparation: Preparation?
        package let purge: Purge

        package init(
            _ rows: String,
            keep: Duration,
            isBrief: Bool = false,
            after preparation: Preparation? = nil,
            purge: @escaping Purge
        ) {
            self.rows = rows
            self.keep = keep
            self.isBrief = isBrief
            self.preparation = preparation
            self.purge = purge
        }
    }

    private let rules: [Rule]
    private let rounds: LeaderRounds
    private let batch: Int
    private let time: SweepClock
    private let unitOfWork: any UnitOfWork
    private let logger: Logger

    /// `rounds`: Times the sweeps.
    ///
    /// `batch`: The number of rows that one unit of work deletes.
    ///
    /// `time`: The verified wall-clock time that decides which rows are old.
    package init(
        _ rules: [Rule],
        rounds: LeaderRounds,
        batch: Int,
        time: SweepClock,
        unitOfWork: any UnitOfWork,
        logger: Logger
    ) {
        self.rules = rules
        self.rounds = rounds
        self.batch = batch
        self.time = time
        self.unitOfWork = unitOfWork
        self.logger = logger
    }

    /// Sweeps at each interval until the task is cancelled, but only brief rows while the wall clock can't be trusted.
    package func run() async {
        await rounds.run {
            // A failure was logged, and the next sweep tries again.
            if let now = time.now {
                _ = try? await sweep(rules, at: now)
            } else {
                // Unauthenticated callers can create such rows, so they must not accumulate for a day.
                _ = try? await sweep(rules.filter(\.isBrief), at: time.unchecked)
            }
        }
    }

    /// Deletes all rows that are too old at `now`, a verified time (``SweepClock``).
    ///
    /// If one kind of rows can't be deleted, the others still are, and the first error is thrown at the end.
    /// - Returns: The number of deleted rows.
    package func sweep(at now: Instant) async throws -> Int { try await sweep(rules, at: now) }

    private func sweep(_ rules: [Rule], at now: Instant) async throws -> Int {
        var total = 0
        var fault: (any Error)?
        for rule in rules {
            do {
                let purged = try await sweep(rule, at: now)
                if purged > 0 {
                    logger.info("old rows were deleted", metadata: about(rule, key: "count", value: "\(purged)"))
                }
                total += purged
            } catch {
                logger.warning(
                    "old rows could not be deleted: the next sweep tries again",
                    metadata: about(rule, key: "cause", value: "\(error)")
                )
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
        return total
    }

    private func sweep(_ rule: Rule, at now: Instant) async throws -> Int {
        try await rule.preparation?(now)
        let limit = now - rule.keep
        var total = 0
        while !Task.isCancelled {
            let count = try await unitOfWork.run { [batch] transaction in try rule.purge(limit, batch, transaction) }
            total += count
            if count < batch { break }
        }
        return total
    }

    private func about(_ rule: Rule, key: String, value: String) -> Logger.Metadata {
        ["rows": "\(rule.rows)", key: "\(value)"]
    }
}
