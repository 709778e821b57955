import GRDB
import Kernel

extension SQLiteDatabase {
    /// Reads on a connection of its own, beside the writer.
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do {
            guard let metrics else { return try await pool.read(body) }
            return try await metrics.reading { try await pool.read(body) }
        } catch {
            files.note(error)
            throw StoreError(error)
        }
    }

    /// Reads in the same way with a body that takes a transaction.
    ///
    /// The body is a unit of work that changes nothing, or a lookup of a store that units have as well.
    ///
    /// Errors of the body's own are thrown as they are.
    func reading<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let result: Result<T, any Error> = try await read { [files] reader in
            Result { try body(Transaction(context: reader)) }.mapError { error in
                files.note(error)
                return StoreError.ofStore(error)
            }
        }
        return try result.get()
    }
}
