package import Kernel

/// A PostgreSQL database, with the connections of this daemon to it.
package final class PostgresDatabase: Sendable {
    let pool: PostgresPool
    let metrics: StoreMetrics?
    /// For units of work.
    ///
    /// Reads need none: they make nothing fail.
    let gate = PostgresGate()

    /// Connects in the background: reads and units wait for the first connection, or fail if there can't be one.
    ///
    /// The schema is not looked at.
    ///
    /// `metrics`: `nil` measures nothing.
    init(_ options: PostgresOptions, environment: Environment, slot: Int = 0, metrics: StoreMetrics? = nil) {
        pool = PostgresPool(options, environment: environment, slot: slot, metrics: metrics)
        self.metrics = metrics
    }

    /// Refuses new work, finishes the work that waits, and closes the connections.
    ///
    /// Further calls do nothing.
    package func close() { pool.close() }
}

extension PostgresDatabase: SQLDatabase {
    /// Reads on one of the connections, in a transaction that can't write.
    package func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        do {
            return try await reading { transaction in try body(transaction.connection()) }
        } catch {
            throw StoreError(error)
        }
    }

    package func reading<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        guard let metrics else { return try await transact(body) }
        return try await metrics.reading { try await transact(body) }
    }

    private func transact<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await pool.run { [metrics] lane in
            try PostgresAttempts.run(on: lane, metrics: metrics) { connection throws in
                connection.begin(.readOnly)
                return try connection.result(of: body, lane: lane.number, effects: nil)
            }
        } afterwards: { lane in
            // The caller has the answer already, which this can't change.
            lane.finish()
        }
    }
}
