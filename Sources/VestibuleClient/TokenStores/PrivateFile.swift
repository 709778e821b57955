import Foundation

/// A small file that only one user may use.
///
/// Every call blocks.
struct PrivateFile: Sendable {
    let path: String

    /// The most bytes of the file, more than any credentials need.
    private static let largest = 1024 * 1024

    /// Returns the content; `nil` if the file is missing.
    func read() throws -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0 {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw TokenStoreError.notPrivate(path: path)
            default: throw failure("open", path)
            }
        }
        defer { close(descriptor) }
        let size = try checkedSize(of: descriptor)
        guard size <= Self.largest else { throw TokenStoreError.unreadable(place: path) }
        return try contents(of: descriptor)
    }

    /// Replaces the file's content with `data`, durably.
    ///
    /// The caller must hold the lock.
    func replace(with data: Data) throws {
        let draft = path + ".new"
        // An existing draft was left by a writer that crashed. No other writer uses it now, because this one holds the
        // lock.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("open", draft) }
        do {
            defer { close(descriptor) }
            try write(data, to: descriptor, draft)
            guard fsync(descriptor) == 0 else { throw failure("fsync", draft) }
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, path) == 0 else { throw failure("rename", path) }
        try syncFolder()
    }

    /// Runs `body` while no other writer, in this process or another, runs its `body`.
    func locked(_ body: () throws -> Void) throws {
        try makeFolder()
        let lock = path + ".lock"
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("open", lock) }
        // Closing the file releases the lock.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("flock", lock) }
        }
        try body()
    }

    private func checkedSize(of descriptor: Int32) throws -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("fstat", path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw TokenStoreError.notPrivate(path: path)
        }
        return Int(status.st_size)
    }

    private var folder: String { URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false) }

    private func contents(of descriptor: Int32) throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", path) }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= Self.largest else { throw TokenStoreError.unreadable(place: path) }
        }
    }

    private func write(_ data: Data, to descriptor: Int32, _ path: String) throws {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            rest = rest.dropFirst(count)
        }
    }

    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw failure("mkdir", folder)
        }
    }

    /// Syncs the folder, because a new name is durable only after that (`fsync(2)`).
    private func syncFolder() throws {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("fsync", folder) }
    }

    private func failure(_ call: String, _ path: String) -> TokenStoreError {
        .system(call: call, path: path, errno: errno)
    }
}
