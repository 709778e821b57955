import GRDB
package import Kernel

/// The mark of the root key that the database belongs to: it is derived from the key, tells two roots apart, and
/// reveals neither.
extension SQLiteDatabase {
    /// Returns the mark on record; the file is left as it is.
    ///
    /// - Returns: `nil` for a file that isn't there, and for a database that was never started with keys.
    /// - Throws: ``StoreOpenError``, for a file that can't be read: nobody knows then.
    package static func keyMark(_ options: Options) throws(StoreOpenError) -> Digest256? {
        do {
            // `nil` without a file; of a database without the table or its row, a `nil` within.
            let found: Digest256?? = try look(options) { (database: Database) throws -> Digest256? in
                guard try database.tableExists("key_mark") else { return nil }
                return try SQLConnection(database).first("SELECT mark FROM key_mark") { try $0.digest("mark") }
            }
            return found ?? nil
        } catch {
            throw .reading(options.path, error)
        }
    }

    /// Puts the mark on record, unless there is one: a database never changes its keys.
    ///
    /// - Throws: ``StoreOpenError``, for a file that can't be written.
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
