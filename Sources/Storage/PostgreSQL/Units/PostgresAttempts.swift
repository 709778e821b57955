import Audit
import Kernel

/// Decides whether a transaction that PostgreSQL refused is run again.
struct PostgresAttempts {
    /// The greatest number of runs.
    static let limit = 10
    /// The number of runs that other transactions defeated, after which the transaction runs alone.
    private static let patience = 4
    private static let firstPause = Duration.milliseconds(1)
    private static let longestPause = Duration.milliseconds(50)

    /// The number of runs that failed.
    private(set) var runs = 0
    /// The number of connects that failed, none of which is a run.
    private var connects = 0
    private var serializationFailures = 0
    private var uniqueViolations = 0
    private var staleConnections = 0

    /// The pause before the next try, which doubles with each one.
    var pause: Duration { min(Self.firstPause * (1 << min(max(runs + connects - 1, 0), 10)), Self.longestPause) }

    /// Whether the next run is to have the connections of this process for itself: others defeat it again and again.
    var needsToBeAlone: Bool { serializationFailures >= Self.patience }

    /// Decides after a connect that failed, and counts it.
    ///
    /// - Returns: `nil` if there is to be another one, otherwise the error for the caller.
    mutating func verdict(onConnecting error: PostgresError, isLate: Bool = false) -> StoreError? {
        connects += 1
        return error.isLoss && connects < Self.limit && !isLate ? nil : StoreError(error)
    }

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
        } else if error.isOfConnection {
            staleConnections += 1
            // A second time it is not the connection.
            guard staleConnections == 1 else { return StoreError(error) }
        } else if error.isSerializationFailure {
            serializationFailures += 1
        } else if !error.isLoss {
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
    /// - Parameters:
    ///   - lane: The lane, whose thread this is.
    ///   - gate: What the runs go through; `nil` for a transaction that makes no other one fail.
    ///   - metrics: Counts each run but the first.
    ///   - onFailure: Receives the error of a transaction that the database could not do. One that contradicts stored
    ///     data is no such failure, nor is one that other transactions defeated.
    ///   - body: The transaction.
    /// - Returns: The result of the run that succeeded.
    /// - Throws: Errors of the body as they are, after undoing its transaction, and those of PostgreSQL as
    ///   ``StoreError``.
    static func run<T>(
        on lane: PostgresLane,
        through gate: PostgresGate? = nil,
        metrics: StoreMetrics?,
        onFailure: (StoreError) -> Void = { _ in },
        _ body: (PostgresConnection) throws -> T
    ) throws -> T {
        var attempts = PostgresAttempts()
        // Each connect may take as long as a statement.
        let end = lane.now + lane.limit
        while true {
            let connection = try attempts.connection(of: lane, by: end, onFailure)
            if attempts.runs > 0 { metrics?.noteRerun() }
            do {
                guard let gate else { return try undoing(lane) { try body(connection) } }
                return try gate.run(alone: attempts.needsToBeAlone, within: end - lane.now) {
                    try undoing(lane) { try body(connection) }
                }
            } catch let error as PostgresError {
                if let failure = attempts.verdict(on: error, isLate: lane.now >= end) {
                    if !failure.isConflict, !error.isContention { onFailure(failure) }
                    throw failure
                }
                lane.pause(attempts.pause)
            }
        }
    }

    /// Undoes the transaction of a body that throws, before the next one of the gate can meet its locks.
    private static func undoing<T>(_ lane: PostgresLane, _ body: () throws -> T) throws -> T {
        do { return try body() } catch {
            lane.undo()
            throw error
        }
    }

    /// Returns the lane's connection, after making one if there is none.
    private mutating func connection(
        of lane: PostgresLane,
        by end: Uptime,
        _ onFailure: (StoreError) -> Void
    ) throws -> PostgresConnection {
        while true {
            do throws(PostgresError) { return try lane.connection() } catch {
                if let failure = verdict(onConnecting: error, isLate: lane.now >= end) {
                    onFailure(failure)
                    throw failure
                }
            }
            lane.pause(pause)
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
            let connection = SQLConnection(self)
            let isUnit = effects != nil
            if isUnit { connection.committedAuditHeads = auditHeads }
            let value = try body(Transaction(context: connection, lane: lane, effects: effects))
            if let failure { throw failure }
            let own = connection.auditHeads.filter { AuditChain.lane(of: $0.key) == lane }
            if isUnit, !own.isEmpty { keepAuditHeads(own) }
            return value
        } catch {
            if let failure, failure.isSerializationFailure || failure.isLoss || failure.isOfConnection { throw failure }
            throw error
        }
    }
}

extension StoreError {
    fileprivate var isConflict: Bool {
        if case .conflict = self { true } else { false }
    }
}
