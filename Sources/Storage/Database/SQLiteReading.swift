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
}
