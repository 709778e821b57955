// The compiler takes `stat` from CoreFoundation or from Glibc, whichever it reads first.
import CoreFoundation
import Glibc

/// The owner and the permissions of a file or folder.
enum FileStatus: Equatable, Sendable {
    case found(mode: UInt32, owner: UInt32, group: UInt32, isFolder: Bool)
    case missing
    /// The system's error message.
    case unreadable(String)

    /// Reads the status of a path, following links.
    init(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = errno == ENOENT ? .missing : .unreadable(String(cString: strerror(errno)))
            return
        }
        self = .found(
            mode: UInt32(status.st_mode & 0o7777),
            owner: UInt32(status.st_uid),
            group: UInt32(status.st_gid),
            isFolder: status.st_mode & S_IFMT == S_IFDIR
        )
    }

    var owner: UInt32? { if case .found(_, let owner, _, _) = self { owner } else { nil } }
}

/// The space of the file system that contains a folder.
enum DiskSpace {
    /// Returns the bytes that this user can still write, and all bytes; `nil` where the file system can't be read.
    static func read(_ path: String) -> (free: UInt64, total: UInt64)? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let block = UInt64(status.f_frsize)
        return (UInt64(status.f_bavail) * block, UInt64(status.f_blocks) * block)
    }
}
