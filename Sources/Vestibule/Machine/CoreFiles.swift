import Glibc

/// Disables core files, so that a crash leaves no memory on disk.
///
/// A core file contains this process's memory: the signing keys, the root key, and passwords and tokens in use. The
/// project's systemd unit disables core files too, but other supervisors and a plain shell do not (core(5)).
enum CoreFiles {
    /// Sets both limits to zero, for this process and its children.
    ///
    /// Only root can raise them again (setrlimit(2)).
    ///
    /// A program to which the kernel pipes core files (`|` in `core_pattern`) gets them nevertheless. Some such
    /// programs discard the core of a process with that limit, others keep it.
    /// - Returns: Whether the limits were set.
    @discardableResult
    static func forbid() -> Bool {
        var limits = rlimit(rlim_cur: 0, rlim_max: 0)
        return setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limits) == 0
    }
}
