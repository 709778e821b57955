import Glibc
import Logging

/// How many files, and so connections, the system lets this process hold.
///
/// Distributions start a process with a soft limit of 1024 for the sake of programs that use select(2); whoever does
/// not may raise it to the hard one (setrlimit(2)).
enum OpenFiles {
    /// What the daemon holds beside its clients' connections: the database, keys, logs, and connections to providers.
    static let reserve = 512

    /// Raises the soft limit as far as `connections` need it and the hard limit allows.
    /// - Returns: the number of connections that may be accepted: `connections`, or what the limit leaves room for.
    static func admit(_ connections: Int, logger: Logger) -> Int {
        let wanted = connections + reserve
        let limit = raise(to: wanted)
        let admitted = room(for: connections, in: limit)
        if admitted < connections {
            logger.warning(
                "fewer connections are accepted than listen.maxConnections: raise the limit of open files",
                metadata: [
                    "maxConnections": "\(connections)", "accepted": "\(admitted)", "openFiles": "\(limit)",
                    "needed": "\(wanted)",
                ]
            )
        }
        return admitted
    }

    /// How many of `connections` fit under a limit; half of a limit that is small stays in reserve.
    static func room(for connections: Int, in limit: Int) -> Int {
        max(1, min(connections, limit - min(reserve, limit / 2)))
    }

    /// The soft limit afterwards: one that may not be raised stays as it is.
    private static func raise(to wanted: Int) -> Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return wanted }
        let goal = min(rlim_t(wanted), limits.rlim_max)
        guard goal > limits.rlim_cur else { return Int(clamping: limits.rlim_cur) }
        let before = limits.rlim_cur
        limits.rlim_cur = goal
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0
        return Int(clamping: isRaised ? goal : before)
    }
}
