package import Kernel

/// Units of work on PostgreSQL, each a serializable transaction of its own on one of the connections.
///
/// PostgreSQL refuses a unit whose result would depend on the order of units that ran at the same time. Then the unit
/// is run again, at most ten times in all. Nothing that a unit has read is certain before its commit, so that an error
/// that its body throws must grant nothing.
package final class PostgresUnitOfWork: UnitOfWork {
    private let database: PostgresDatabase
    private let onCommit: @Sendable (StoreError?) -> Void

    /// Creates the units of a database.
    ///
    /// - Parameters:
    ///   - database: The database whose connections run the units.
    ///   - onCommit: Receives `nil` for each commit that succeeded, the error of each unit that the database could not
    ///     do, and once the error of an outage. It is not called for a unit that contradicts stored data, that other
    ///     units defeated, or whose body threw.
    package init(_ database: PostgresDatabase, onCommit: @escaping @Sendable (StoreError?) -> Void = { _ in }) {
        self.database = database
        self.onCommit = onCommit
        database.pool.whenOut { onCommit($0) }
    }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let (metrics, gate, onCommit) = (database.metrics, database.gate, onCommit)
        return try await database.pool.run { lane in
            let unit = { (connection: PostgresConnection) throws -> T in
                let effects = DurableEffects()
                connection.begin(.serializable)
                let value = try connection.result(of: body, lane: lane.number, effects: effects)
                // Both before the caller resumes, so that a caller with its answer finds the unit counted.
                if try connection.commit() { onCommit(nil) }
                effects.run()
                return value
            }
            let attempts = {
                try PostgresAttempts.run(on: lane, through: gate, metrics: metrics, onFailure: onCommit, unit)
            }
            return try metrics.map { try $0.committing(1, attempts) } ?? attempts()
        }
    }

    /// Runs the body on one of the connections, in a transaction that can't write.
    package func read<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await database.reading(body)
    }

    /// Throws unless a unit would become durable, by committing a message in the write-ahead log that nobody reads.
    package func checkDurable() async throws {
        try await run { transaction in
            let connection = try transaction.connection()
            _ = try connection.exists("SELECT pg_logical_emit_message(true, 'vestibule', '')")
            guard try connection.exists("SELECT 1 FROM schema_migrations WHERE version = 1") else {
                throw StoreError.corrupt(cause: "the schema is missing")
            }
        }
    }
}
