import Kernel

/// Decides whether a transaction that PostgreSQL refused is run again.
struct PostgresAttempts {
    /// The greatest number of runs.
    static let limit = 10
    /// The number of failures after which the transaction runs alone.
    private static let patience = 4
    private static let firstPause = Duration.milliseconds(1)
    private static let longestPause = Duration.milliseconds(50)

    private var runs = 0
    private var uniqueViolations = 0

    /// The pause before the next run, which doubles with each run.
    var pause: Duration { min(Self.firstPause * (1 << min(runs - 1, 10)), Self.longestPause) }

    /// Whether the next run is to have the connections of this process for itself.
    var needsToBeAlone: Bool { runs >= Self.patience }

    /// Decides after a failed run, and counts it.
    ///
    /// `isLate`: whether the transaction has had its time.
    ///
    /// - Returns: `nil` if the transaction is to be run again, otherwise the error for the caller.
    mutating func verdict(on error: PostgresError, isLate: Bool = false) -> StoreError? {
        runs += 1
        if error.isUniqueViolation {
            uniqueViolations += 1
            // A second time the key was there before the unit began.
            guard uniqueViolations == 1 else { return StoreError(error) }
        } else if !error.isSerializationFailure, !error.isLoss {
            return StoreError(error)
        }
        guard runs < Self.limit, !isLate else {
            return .unavailable(cause: "the last of \(runs) tries failed: \(StoreError(error).cause)")
        }
        return nil
    }
}

extension PostgresAttempts {
    /// Runs `body` on the lane's connection until it succeeds, or fails in a way that another run does not change.
    ///
    /// `onFailure`: receives the error of a transaction that the database could not do. One that contradicts stored data
    /// is no such failure.
    ///
    /// - Throws: Errors of the body as they are, after undoing its transaction, and those of PostgreSQL as
    ///   ``StoreError``.
    static func run<T>(
        on lane: PostgresLane,
        through gate: PostgresGate,
        metrics: StoreMetrics?,
        onFailure: (StoreError) -> Void = { _ in },
        _ body: (PostgresConnection) throws -> T
    ) throws -> T {
        var attempts = PostgresAttempts()
        // Each connect may take as long as a statement.
        let end = lane.now + lane.limit
        while true {
            do {
                let connection = try lane.connection()
                return try gate.run(alone: attempts.needsToBeAlone) { try body(connection) }
            } catch let error as PostgresError {
                lane.undo()
                if let failure = attempts.verdict(on: error, isLate: lane.now >= end) {
                    if !failure.isConflict { onFailure(failure) }
                    throw failure
                }
                metrics?.noteRerun()
                lane.pause(attempts.pause)
            } catch {
                lane.undo()
                throw error
            }
        }
    }
}

extension PostgresConnection {
    /// Runs a body in the transaction that was begun.
    ///
    /// - Throws: The error of a statement, even if the body ignored it: what the body returned or threw relies on a
    ///   statement that was not done. An exception is an error that the body made of one that no further run changes.
    func result<T>(
        of body: (borrowing Transaction) throws -> T,
        lane: Int,
        effects: DurableEffects?
    ) throws -> T {
        do {
            let value = try body(Transaction(context: SQLConnection(self), lane: lane, effects: effects))
            if let failure { throw failure }
            return value
        } catch {
            if let failure, failure.isSerializationFailure || failure.isLoss { throw failure }
            throw error
        }
    }
}

extension StoreError {
    fileprivate var isConflict: Bool {
        if case .conflict = self { true } else { false }
    }
}
