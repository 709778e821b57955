import Glibc

/// Errors of accept(2) that say that there are no more files, of this process or of the system.
enum FileShortage {
    static func isOne(_ code: CInt) -> Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
}
