// `stat` is CoreFoundation's or Glibc's, by which of the two the compiler happens to meet first.
import CoreFoundation
import Glibc

/// The folder of rows, keys and sockets: this user's alone, and one daemon's at a time.
struct DataFolder: Sendable {
    let path: String

    /// Why the folder can't be used, with what to do.
    enum FolderError: Error, CustomStringConvertible {
        case cannotCreate(path: String, cause: String)
        case openToOthers(path: String)
        case inUse(path: String)
        /// A command that may not make one was given it.
        case missing(path: String)
        /// The same, of a folder without a database.
        case unused(path: String, database: String)

        var description: String {
            switch self {
            case .cannotCreate(let path, let cause):
                "The data folder \(path) cannot be used: \(cause). Name another folder with --data, or give it to this user."
            case .openToOthers(let path):
                "The data folder \(path) can be written by others. Run: chmod 700 \(path)"
            case .inUse(let path):
                "Another vestibule is using the data folder \(path). Stop it first, or name another folder with --data."
            case .missing(let path):
                "The data folder \(path) does not exist. Check --data, or start the daemon once: `vestibule serve` makes it."
            case .unused(let path, let database):
                "The data folder \(path) has no database: \(database) does not exist. Check --data and storage.file, or "
                    + "start the daemon once: `vestibule serve` makes it."
            }
        }
    }

    /// Makes the folder (0700) if it is missing.
    static func open(_ path: String) throws(FolderError) -> DataFolder {
        // All that this process creates, such as rows, keys and sockets, is this user's alone from the first moment.
        umask(0o077)
        var partial = ""
        for part in path.split(separator: "/") {
            partial += "/" + part
            if mkdir(partial, 0o700) != 0, errno != EEXIST {
                throw .cannotCreate(path: path, cause: String(cString: strerror(errno)))
            }
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(path, W_OK) == 0 else {
            throw .cannotCreate(path: path, cause: "it is not a folder that this user can write")
        }
        guard status.st_mode & 0o022 == 0 else { throw .openToOthers(path: path) }
        return DataFolder(path: path)
    }

    /// Whether nothing has that name; an entry that this user may not read counts as existing.
    static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

    /// Whether a process may hold the folder: one that does has left its lock there.
    static func mayBeHeld(_ path: String) -> Bool { !isMissing(path + lockName) }

    private static let lockName = "/vestibule.lock"

    /// Takes the folder for this process until it ends; the kernel lets go when it dies.
    func lock() throws(FolderError) -> DataLock {
        let descriptor = Glibc.open(path + Self.lockName, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .cannotCreate(path: path, cause: String(cString: strerror(errno)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .inUse(path: path)
        }
        return DataLock(descriptor: descriptor)
    }
}

/// The lock on a data folder, released when the value is destroyed.
final class DataLock: Sendable {
    private let descriptor: CInt

    init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
