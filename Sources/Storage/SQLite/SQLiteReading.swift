import GRDB
package import Kernel

extension SQLiteDatabase: SQLDatabase {
    /// Reads on a connection of its own, in parallel to the writer.
    package func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        do {
            guard let metrics else { return try await pool.read { try body(SQLConnection($0)) } }
            return try await metrics.reading { try await pool.read { try body(SQLConnection($0)) } }
        } catch {
            files.note(error)
            throw StoreError(error)
        }
    }

    package func reading<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        let result: Result<T, any Error> = try await read { [files] connection in
            Result { try body(Transaction(context: connection)) }.mapError { error in
                files.note(error)
                return StoreError.ofStore(error)
            }
        }
        return try result.get()
    }
}
