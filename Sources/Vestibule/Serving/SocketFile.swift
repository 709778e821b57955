// The compiler takes `stat` from CoreFoundation or from Glibc, whichever it reads first.
import CoreFoundation
import Glibc

/// The file of a Unix socket: decides what may be removed before listening and afterwards.
///
/// The path is from the config. Any other file at that path belongs to another program, and is not removed.
struct SocketFile: Sendable {
    let path: String
    /// The user whose sockets may be removed.
    var owner = geteuid()

    /// The identity of a file, independent of its name.
    struct Identity: Sendable, Equatable {
        let device: dev_t
        let number: ino_t
    }

    /// Removes a socket that a killed daemon left behind.
    ///
    /// - Throws: ``ExitError`` when another entry exists at the path.
    func clear() throws(ExitError) {
        guard let status = Self.status(path) else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == owner else {
            let what = status.st_mode & S_IFMT == S_IFSOCK ? "a socket of another user" : "a file that is not a socket"
            throw .storage(
                "\(what) is at \(path), where the admin socket should be, and was not changed. Set "
                    + "listen.adminSocket to another path, or remove it yourself."
            )
        }
        try refuseIfListened()
        unlink(path)
    }

    /// Refuses to continue while a program listens on the socket.
    ///
    /// The holder of a data folder's lock calls this before it opens anything in the folder. A daemon whose lock file
    /// was deleted still writes rows, and still listens.
    ///
    /// - Throws: ``ExitError`` while a program listens.
    func refuseIfListened() throws(ExitError) {
        guard isListened else { return }
        throw .storage(
            "another program listens at \(path), where the admin socket should be. Stop it if it is a daemon whose "
                + "lock file was removed, or set listen.adminSocket to another path."
        )
    }

    /// Whether a program accepts connections on the socket: one that a killed daemon left behind refuses them.
    var isListened: Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8CString)
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            bytes.withUnsafeBytes { path.copyMemory(from: $0) }
        }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0
    }

    /// The identity of the entry if it is a socket of this user, otherwise `nil`.
    var identity: Identity? {
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == owner else {
            return nil
        }
        return Identity(device: status.st_dev, number: status.st_ino)
    }

    /// Removes the socket that was bound, unless another file has replaced it.
    func remove(_ bound: Identity) {
        guard identity == bound else { return }
        unlink(path)
    }

    /// Returns the status of the entry itself, not of a link's target.
    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
