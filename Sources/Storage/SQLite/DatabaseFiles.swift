import GRDB
import Kernel
import Synchronization

/// The files of an open database: whether its path still names them, and whether a page of them was damaged.
///
/// A process continues to write into a file that was deleted or replaced (unlink(2)). Those writes are lost at the
/// next start, and SQLite does not notice ("How To Corrupt An SQLite Database File", §2.5 and §4).
final class DatabaseFiles: Sendable {
    let path: String
    private let database: FileIdentity?
    private let log: FileIdentity?
    private let state = Mutex(State())

    private struct State {
        var damage: String?
        var tell: (@Sendable (String) -> Void)?
    }

    /// Stores the identity of the files, right after they were opened.
    init(path: String) {
        self.path = path
        database = FileIdentity(path)
        log = FileIdentity(path + "-wal")
    }

    /// The reason why nothing may be written any more, or `nil` while the path names the open files.
    var moved: StoreError? {
        guard database == nil || FileIdentity(path) == database else { return Self.moved(path) }
        guard log == nil || FileIdentity(path + "-wal") == log else { return Self.moved(path + "-wal") }
        return nil
    }

    /// SQLite's error when it first read a damaged page.
    ///
    /// It stays until the next start: other pages may be intact, but which ones is unknown.
    var damage: StoreError? { state.withLock { $0.damage.map { .corrupt(cause: $0) } } }

    /// Registers `tell`, which is called once, with the cause, when a damaged page is found.
    func whenDamaged(_ tell: @escaping @Sendable (String) -> Void) { state.withLock { $0.tell = tell } }

    /// Notes an error of SQLite if it is about damaged pages.
    func note(_ error: any Error) {
        guard let fault = error as? DatabaseError,
            fault.resultCode == .SQLITE_CORRUPT || fault.resultCode == .SQLITE_NOTADB
        else { return }
        let cause = StoreError(fault).cause
        let tell = state.withLock { state in
            guard state.damage == nil else { return nil as (@Sendable (String) -> Void)? }
            state.damage = cause
            return state.tell
        }
        tell?(cause)
    }

    private static func moved(_ path: String) -> StoreError {
        .unavailable(
            cause: "\(path) was deleted or replaced while this process has it open, and what is written now would be "
                + "lost. Stop the daemon, put the database back with the -wal that belongs to it, or a backup without "
                + "the old -wal and -shm, and start again"
        )
    }
}

extension SQLiteDatabase {
    /// Registers `tell`, which is called once, with the cause, when a damaged page is found.
    package func whenDamaged(_ tell: @escaping @Sendable (String) -> Void) { files.whenDamaged(tell) }

    /// The sizes of the database and of its log in bytes; 0 for a missing file.
    package var fileSizes: (database: Int64, log: Int64) {
        (FileStatus(path)?.bytes ?? 0, FileStatus(path + "-wal")?.bytes ?? 0)
    }
}
