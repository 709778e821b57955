import Glibc

/// The file of a Unix socket: what may be removed to listen there, and what after it.
///
/// The path comes from a config. Whatever else lies there is somebody's, and stays.
struct SocketFile: Sendable {
    let path: String
    /// Whose sockets may be removed.
    var owner = geteuid()

    /// One file among all, whatever its name.
    struct Identity: Sendable, Equatable {
        let device: dev_t
        let number: ino_t
    }

    /// Makes room for a socket: removes one that a killed daemon left behind.
    ///
    /// - Throws: ``Exit`` when something else lies there.
    func clear() throws(Exit) {
        guard let status = Self.status(path) else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == owner else {
            let what = status.st_mode & S_IFMT == S_IFSOCK ? "a socket of another user" : "something else than a socket"
            throw .storage(
                "\(what) lies at \(path), where the admin socket should be, and was left alone. Set "
                    + "listen.adminSocket to another path, or remove it yourself."
            )
        }
        unlink(path)
    }

    /// What lies there now, if it is a socket of ours.
    var identity: Identity? {
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == owner else {
            return nil
        }
        return Identity(device: status.st_dev, number: status.st_ino)
    }

    /// Removes the socket that was bound, unless another file has taken its place.
    func remove(_ bound: Identity) {
        guard identity == bound else { return }
        unlink(path)
    }

    /// Of the entry itself, not of what a link points to.
    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
