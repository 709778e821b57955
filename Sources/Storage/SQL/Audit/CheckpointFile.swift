import Audit
import Kernel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file of audit checkpoints, one a line.
///
/// Only this user can access it. Lines are only appended, and each is synced.
package struct CheckpointFile: CheckpointLog {
    private let path: String

    /// - Parameter path: An absolute path. Its folder is created (0700) if it is missing.
    package init(path: String) { self.path = path }

    package func lines() throws -> [String] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw fault("open")
        }
        defer { close(descriptor) }
        try check(descriptor)
        let text = String(decoding: try contents(descriptor), as: UTF8.self)
        // A last line without a line break was cut short by a crash, and was never acknowledged.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    package func append(_ lines: [String], after size: Int64) throws -> Int64 {
        let descriptor = try openToAppend()
        defer { close(descriptor) }
        try check(descriptor)
        guard lseek(descriptor, 0, SEEK_END) == off_t(size) else { throw CheckpointRaceError() }
        try cutTornLine(descriptor)
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retrying { write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written) }
            }
            guard count > 0 else { throw fault("write") }
            written += count
        }
        guard retrying({ fsync(descriptor) }) == 0 else { throw fault("sync") }
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw fault("look at") }
        return Int64(end)
    }

    package func size() throws -> Int64 {
        var info = stat()
        guard lstat(path, &info) == 0 else {
            if errno == ENOENT { return 0 }
            throw fault("look at")
        }
        return Int64(info.st_size)
    }

    private func openToAppend() throws -> Int32 {
        let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let existing = open(path, flags)
        if existing >= 0 { return existing }
        guard errno == ENOENT else { throw fault("open") }
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw fault("make the folder of") }
        let descriptor = open(path, flags | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw fault("create") }
        let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw fault("open the folder of") }
        defer { close(parent) }
        guard retrying({ fsync(parent) }) == 0 else { throw fault("sync the folder of") }
        return descriptor
    }

    /// Refuses anything but a regular file of this user that other users can neither read nor write.
    private func check(_ descriptor: Int32) throws {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw fault("look at") }
        guard info.st_mode & S_IFMT == S_IFREG, info.st_uid == geteuid(), info.st_mode & 0o077 == 0 else {
            throw StoreError.unavailable(cause: "\(path) is not a file of this user's alone (chmod 600)")
        }
    }

    private func cutTornLine(_ descriptor: Int32) throws {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end > 0 else { return }
        var last: UInt8 = 0
        guard pread(descriptor, &last, 1, end - 1) == 1 else { throw fault("read") }
        guard last != UInt8(ascii: "\n") else { return }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw fault("read") }
        let whole = try contents(descriptor).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        guard ftruncate(descriptor, off_t(whole)) == 0 else { throw fault("mend") }
    }

    private func contents(_ descriptor: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = retrying { read(descriptor, &chunk, chunk.count) }
            guard count >= 0 else { throw fault("read") }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk.prefix(count))
        }
    }

    private func fault(_ action: String) -> StoreError {
        .unavailable(cause: "can't \(action) \(path): \(String(cString: strerror(errno)))")
    }

    /// Repeats a call that a signal interrupted before it had done anything.
    private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            guard result == -1, errno == EINTR else { return result }
        }
    }
}
