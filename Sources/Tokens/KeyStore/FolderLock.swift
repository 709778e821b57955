#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A lock for one writer at a time in a key folder, across processes and threads.
///
/// It is an advisory lock on a separate file. The operating system releases it when the process ends.
enum FolderLock {
    /// Runs `body` with the lock.
    ///
    /// It waits until another holder has written its few small files.
    static func hold<Result>(_ folder: String, _ body: () throws(KeyError) -> Result) throws(KeyError) -> Result {
        let path = "\(folder)/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unavailable(path, "open") }
        // Each `open` has a lock of its own, so that two threads of one process also exclude each other. Closing the
        // file releases the lock.
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
