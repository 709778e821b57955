import GRDB
package import Kernel

/// The mark of the root key that belongs to the database. It is derived from the key, differs between two root keys,
/// and reveals neither.
extension SQLiteDatabase {
    /// Returns the stored mark.
    ///
    /// The file is not changed.
    ///
    /// - Returns: `nil` for a missing file, and for a database that was never started with keys.
    /// - Throws: ``StoreOpenError`` for a file that can't be read, so that its mark is unknown.
    package static func keyMark(_ options: Options) throws(StoreOpenError) -> Digest256? {
        do {
            // `nil` without a file. For a database without the table or its row, the inner optional is `nil`.
            let found: Digest256?? = try look(options) { (database: Database) throws -> Digest256? in
                guard try database.tableExists("key_mark") else { return nil }
                return try SQLConnection(database).first("SELECT mark FROM key_mark") { try $0.digest("mark") }
            }
            return found ?? nil
        } catch {
            throw .reading(options.path, error)
        }
    }

    /// Stores the mark, unless there is one already: a database never changes its root key.
    ///
    /// - Throws: ``StoreOpenError`` for a file that can't be written.
    package func keep(keyMark: Digest256, at now: Instant) throws(StoreOpenError) {
        do {
            try pool.write { database in
                _ = try SQLConnection(database).change(
                    "INSERT INTO key_mark (id, mark, recorded_at) VALUES (1, ?, ?) ON CONFLICT (id) DO NOTHING",
                    [keyMark.column, now.column]
                )
            }
        } catch {
            throw .reading(path, error)
        }
    }
}
