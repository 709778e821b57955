#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A lock for one writer at a time per key folder, across processes and threads.
///
/// It is an advisory lock on a file of its own, which the system releases when the process dies.
enum FolderLock {
    /// Runs `body` under the lock, waiting for it as long as another holder needs for its few small files.
    static func hold<Result>(_ folder: String, _ body: () throws(KeyError) -> Result) throws(KeyError) -> Result {
        let path = "\(folder)/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unavailable(path, "open") }
        // Each opening locks on its own, so that two threads of one process exclude each other as well; closing it
        // gives the lock back.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw unavailable(path, "lock") }
        }
        return try body()
    }

    private static func unavailable(_ path: String, _ action: String) -> KeyError {
        .unavailable(path: path, action: action, cause: String(cString: strerror(errno)))
    }
}
