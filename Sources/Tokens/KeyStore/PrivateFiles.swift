#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Files and folders that only the user who runs the daemon may use.
///
/// Access is checked on every read, and writes are durable.
///
/// The C library is used because Foundation's atomic writing does not sync, cannot refuse a link, and sets no mode at
/// creation.
package enum PrivateFiles {
    /// Creates the folder with mode 0700 unless it exists.
    ///
    /// The parent folder must exist.
    static func makeFolder(_ path: String, in parent: String) throws(KeyError) {
        guard mkdir(path, 0o700) == 0 else {
            let code = errno
            guard code == EEXIST else { throw unavailable(path, to: "create", code: code) }
            return
        }
        try sync(folder: parent)
    }

    /// Refuses a folder that other users may enter, or that belongs to another user.
    static func checkFolder(_ path: String) throws(KeyError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unavailable(path, to: "open", code: errno) }
        defer { close(descriptor) }
        try checkAccess(try status(of: descriptor, path), path, remedy: "chmod 700 '\(path)'")
    }

    /// Whether a file of that name exists, even as a dangling link.
    package static func exists(_ path: String) throws(KeyError) -> Bool {
        var info = stat()
        guard lstat(path, &info) != 0 else { return true }
        let code = errno
        guard code == ENOENT else { throw unavailable(path, to: "look at", code: code) }
        return false
    }

    /// Returns the file's bytes; `nil` if there is no file.
    ///
    /// Links, files that other users may read, and files of more than `limit` bytes are refused.
    static func contents(of path: String, limit: Int) throws(KeyError) -> [UInt8]? {
        // Without O_NONBLOCK, a FIFO in place of the file would block the start forever.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw .damaged(path: path, .notARegularFile)
            case let code: throw unavailable(path, to: "open", code: code)
            }
        }
        defer { close(descriptor) }
        let info = try status(of: descriptor, path)
        guard info.st_mode & S_IFMT == S_IFREG else { throw .damaged(path: path, .notARegularFile) }
        try checkAccess(info, path, remedy: "chmod 600 '\(path)'")
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = retrying { read(descriptor, &chunk, chunk.count) }
            guard count >= 0 else { throw unavailable(path, to: "read", code: errno) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk.prefix(count))
            guard bytes.count <= limit else { throw .damaged(path: path, .tooLarge(limit: limit)) }
        }
    }

    /// Replaces the file `name` in `folder` as a whole: after a crash, it has the old content or the new.
    ///
    /// When the call returns, the new content is on disk. The caller holds the folder's lock, so that there is one
    /// writer at a time.
    static func replace(_ name: String, in folder: String, with bytes: [UInt8]) throws(KeyError) {
        let path = "\(folder)/\(name)"
        try move(try draft(of: path, bytes, mode: 0o600), to: path)
        try sync(folder: folder)
    }

    /// The user and the group that own a new file.
    package struct Owner: Equatable, Sendable {
        package let user: UInt32
        package let group: UInt32

        package init(user: UInt32, group: UInt32) {
            self.user = user
            self.group = group
        }
    }

    /// Creates a file as a whole, with these permission bits regardless of the process's umask.
    ///
    /// `owner` is the user that gets the file, which requires root; with `nil` this process's user keeps it.
    ///
    /// - Returns: `false`, without a change, if an entry of that name exists.
    package static func create(
        _ name: String,
        in folder: String,
        with bytes: [UInt8],
        mode: UInt32 = 0o600,
        owner: Owner? = nil
    ) throws(KeyError) -> Bool {
        let path = "\(folder)/\(name)"
        guard try !exists(path) else { return false }
        let draft = try draft(of: path, bytes, mode: mode_t(mode), owner: owner)
        defer { unlink(draft) }
        // Unlike rename(2), link(2) never replaces a file.
        guard link(draft, path) == 0 else {
            let code = errno
            guard code == EEXIST else { throw unavailable(path, to: "create", code: code) }
            return false
        }
        try sync(folder: folder)
        return true
    }

    /// Writes and syncs a new file beside `path`, and returns its path.
    private static func draft(
        of path: String,
        _ bytes: [UInt8],
        mode: mode_t,
        owner: Owner? = nil
    ) throws(KeyError) -> String {
        let draft = path + draftSuffix
        if try exists(draft) { try remove(draft) }
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unavailable(draft, to: "create", code: errno) }
        do throws(KeyError) {
            if let owner, fchown(descriptor, owner.user, owner.group) != 0 {
                throw unavailable(draft, to: "give away", code: errno)
            }
            guard fchmod(descriptor, mode) == 0 else { throw unavailable(draft, to: "protect", code: errno) }
            try writeAll(bytes, into: descriptor, path: draft)
        } catch {
            close(descriptor)
            unlink(draft)
            throw error
        }
        close(descriptor)
        return draft
    }

    /// Renames a file.
    ///
    /// The caller must sync the folder.
    static func move(_ source: String, to destination: String) throws(KeyError) {
        guard rename(source, destination) == 0 else { throw unavailable(destination, to: "rename to", code: errno) }
    }

    static func remove(_ path: String) throws(KeyError) {
        guard unlink(path) == 0 else { throw unavailable(path, to: "remove", code: errno) }
    }

    /// Makes renames and removals in the folder durable.
    static func sync(folder: String) throws(KeyError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unavailable(folder, to: "open", code: errno) }
        defer { close(descriptor) }
        guard retrying({ fsync(descriptor) }) == 0 else { throw unavailable(folder, to: "sync", code: errno) }
    }

    /// The suffix of incomplete files.
    ///
    /// A file with that suffix is never read.
    static let draftSuffix = ".new"

    private static func writeAll(_ bytes: [UInt8], into descriptor: Int32, path: String) throws(KeyError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retrying { write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written) }
            }
            guard count > 0 else { throw unavailable(path, to: "write", code: errno) }
            written += count
        }
        guard retrying({ fsync(descriptor) }) == 0 else { throw unavailable(path, to: "sync", code: errno) }
    }

    private static func status(of descriptor: Int32, _ path: String) throws(KeyError) -> stat {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw unavailable(path, to: "look at", code: errno) }
        return info
    }

    private static func checkAccess(_ info: stat, _ path: String, remedy: String) throws(KeyError) {
        guard info.st_uid == geteuid() else {
            throw .foreignOwner(path: path, owner: info.st_uid, expected: geteuid())
        }
        guard info.st_mode & 0o077 == 0 else {
            throw .tooOpen(path: path, mode: UInt32(info.st_mode & 0o7777), remedy: remedy)
        }
    }

    private static func unavailable(_ path: String, to action: String, code: Int32) -> KeyError {
        .unavailable(path: path, action: action, cause: String(cString: strerror(code)))
    }

    /// Repeats a call that a signal has interrupted before it did anything.
    private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            guard result == -1, errno == EINTR else { return result }
        }
    }
}
