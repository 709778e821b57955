import Glibc

/// Small files of the server.
enum TextFile {
    /// Returns the whole text; `nil`: it can't be read.
    static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return readAll(file)
    }

    /// Returns a new file with that text, to be read from its beginning.
    ///
    /// It has no name and is gone when it is closed.
    static func unnamed(with text: String) throws -> Int32 {
        let path = "/tmp/vestibule-pg-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).sql"
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        unlink(path)
        let bytes = Array(text.utf8)
        guard file >= 0, write(file, bytes, bytes.count) == bytes.count, lseek(file, 0, SEEK_SET) == 0 else {
            throw PostgresServer.ServerError("a file can't be written (error \(errno))")
        }
        return file
    }

    /// Returns everything up to the end of an open file or pipe.
    static func readAll(_ file: Int32) -> String {
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &part, part.count)
            if count > 0 { text += part[..<count] } else if count == 0 || errno != EINTR { break }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
