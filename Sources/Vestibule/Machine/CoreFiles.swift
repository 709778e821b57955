import Glibc

/// Forbids core files, so that a crash leaves nothing on disk.
///
/// A core file has this process's memory in it: the signing keys, the root key and the passwords and tokens then
/// in use. The unit that comes along tells systemd so; other supervisors and a plain shell are not told (core(5)).
enum CoreFiles {
    /// Sets both limits to zero, for this process and its children; nobody but root can raise them again (setrlimit(2)).
    ///
    /// A program that the kernel pipes core files to (`|` in `core_pattern`) gets them nevertheless. Some such programs
    /// keep none of a process with that limit, others do.
    /// - Returns: whether it was done.
    @discardableResult
    static func forbid() -> Bool {
        var limits = rlimit(rlim_cur: 0, rlim_max: 0)
        return setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limits) == 0
    }
}
