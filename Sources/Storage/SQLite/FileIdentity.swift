import Glibc

/// The file that a path names: its device and its inode (stat(2)).
struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Returns `nil` for a missing file, and for one that this user may not examine.
    init?(_ path: String) {
        guard let status = FileStatus(path) else { return nil }
        device = status.raw.st_dev
        inode = status.raw.st_ino
    }
}

/// The status of a file (stat(2)).
struct FileStatus {
    fileprivate let raw: stat

    /// Returns `nil` for a missing file, and for one that this user may not examine.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        raw = status
    }

    var bytes: Int64 { Int64(raw.st_size) }

    /// The time of the last change of content or inode, which no user can set, in nanoseconds since 1970.
    var changedAt: Int64 { Self.nanoseconds(raw.st_ctim) }

    /// The time of the last change of content, which the owner can set, in nanoseconds since 1970.
    var writtenAt: Int64 { Self.nanoseconds(raw.st_mtim) }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
