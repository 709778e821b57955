// The compiler takes `stat` from CoreFoundation or from Glibc, whichever it reads first.
import CoreFoundation
import Glibc

/// The folder of database, keys and sockets, which only this user can access and only one daemon uses at a time.
struct DataFolder: Sendable {
    let path: String

    /// The reason why the folder can't be used, with the remedy.
    enum FolderError: Error, CustomStringConvertible {
        case cannotCreate(path: String, cause: String)
        case openToOthers(path: String)
        case inUse(path: String)
        /// The folder is missing, and the command may not create it.
        case missing(path: String)
        /// The folder has no database, and the command may not create one.
        case unused(path: String, database: String)
        /// The folder has no root key, and the command may not create one.
        case keyless(path: String, key: String)

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
            case .keyless(let path, let key):
                "The data folder \(path) has no keys: \(key) does not exist. Check --data and secrets.keyFolder, put the "
                    + "keys back from the backup, or start the daemon once: `vestibule serve` makes those of a new database."
            case .unused(let path, let database):
                "The data folder \(path) has no database: \(database) does not exist. Check --data and storage.file, or "
                    + "start the daemon once: `vestibule serve` makes it."
            }
        }
    }

    /// Creates the folder (0700) if it is missing.
    static func open(_ path: String) throws(FolderError) -> DataFolder {
        // All files that this process creates, such as the database, keys and sockets, are accessible only to this
        // user from the first moment.
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

    /// Whether nothing exists at the path: an entry that this user may not examine counts as existing.
    static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

    /// Whether a process may hold the folder: a process that holds it has created the lock file.
    static func mayBeHeld(_ path: String) -> Bool { !isMissing(path + lockName) }

    private static let lockName = "/vestibule.lock"

    /// Locks the folder for this process: the kernel releases the lock when the process ends.
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
