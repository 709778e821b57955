import GRDB
import Kernel

/// The reason why the database can't be used, with the remedy.
package enum StoreOpenError: Error, Equatable, Sendable {
    case file(path: String, cause: String)
    /// The file can't be read, and the log beside it may belong to another copy.
    case foreignLog(path: String, cause: String)
    case schema(path: String, SchemaError)
    /// The system's SQLite lacks statements that the stores use.
    case outdatedSQLite(version: String)

    package var message: String {
        switch self {
        case .file(let path, let cause):
            "The database \(path) can't be opened, and nothing was changed: \(cause). Check that the file and its folder "
                + "belong to this user, the disk has room and no other process holds it, or restore a backup."
        case .foreignLog(let path, let cause):
            "The database \(path) can't be opened, and nothing was changed: \(cause), and \(path)-wal was not written "
                + "for this file. If a copy was put back here, move \(path)-wal and \(path)-shm elsewhere, keep them, and "
                + "start again, otherwise restore a backup without older -wal and -shm beside it."
        case .schema(let path, let fault): "The database \(path) is refused: \(fault.explanation(.sqlite))"
        case .outdatedSQLite(let version):
            "The system's SQLite is \(version), and Vestibule needs 3.39 or later, which Debian 12 and Ubuntu 24.04 have. "
                + "Install a newer libsqlite3."
        }
    }

    /// Refuses a SQLite before 3.39, the first version that knows `IS NOT DISTINCT FROM`.
    ///
    /// - Parameter number: The result of `sqlite3_libversion_number()`: 3.39.2 is 3039002.
    /// - Returns: The error, or `nil` for a sufficient version.
    static func outdated(_ number: Int32) -> StoreOpenError? {
        guard number < 3_039_000 else { return nil }
        return .outdatedSQLite(version: "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)")
    }

    /// Translates an error of opening or reading the file.
    static func reading(_ path: String, _ error: any Error) -> StoreOpenError {
        if let fault = error as? StoreOpenError { return fault }
        if let fault = error as? SchemaError {
            guard case .altered = fault, hasLog(path) else { return .schema(path: path, fault) }
            return .foreignLog(path: path, cause: fault.explanation(.sqlite))
        }
        let failure = StoreError(error)
        guard case .corrupt = failure, hasLog(path) else { return .file(path: path, cause: failure.cause) }
        return .foreignLog(path: path, cause: failure.cause)
    }

    private static func hasLog(_ path: String) -> Bool { (FileStatus(path + "-wal")?.bytes ?? 0) > 0 }
}

/// Decides whether a log belongs to the database beside it.
///
/// SQLite replays any log with correct checksums, even over a restored copy, and so mixes two databases.
enum WriteAheadLogCheck {
    /// Whether the file was changed after its log was written.
    static func isSuspected(_ path: String) -> Bool {
        // While the daemon runs, the log is changed after the file, except for a checkpoint at the very end. Only the
        // log's content counts: opening the database as root changes the log's owner, and so the time of its inode.
        guard let file = FileStatus(path), let log = FileStatus(path + "-wal"), log.bytes > 0 else { return false }
        return file.changedAt >= log.writtenAt
    }

    /// - Throws: SQLite's error, or `SQLITE_CORRUPT` if the pages of file and log do not fit together.
    static func check(_ database: Database) throws {
        let found = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
        guard found != "ok" else { return }
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found.replacing("\n", with: " "))
    }
}
