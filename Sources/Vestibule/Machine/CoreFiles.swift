import Glibc

/// What a crash leaves on disk: nothing.
///
/// A core file has this process's memory in it, and so the signing keys, the root key and whatever passwords and tokens were
/// under way. systemd is told so by the unit that comes along; other supervisors and a plain shell are not (core(5)).
enum CoreFiles {
    /// Sets both limits to zero, for this process and its children; nobody but root can raise them again (setrlimit(2)).
    ///
    /// A program that the kernel pipes core files to (`|` in `core_pattern`) is handed them all the same: some keep none of a
    /// process with that limit, others do.
    /// - Returns: whether it was done.
    @discardableResult
    static func forbid() -> Bool {
        var limits = rlimit(rlim_cur: 0, rlim_max: 0)
        return setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limits) == 0
    }
}
