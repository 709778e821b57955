import Assembly
import Glibc
import HTTPAPI
import Kernel
import Logging
import Settings

/// The number of files, and so of connections, that the system allows this process.
///
/// Distributions start processes with a soft limit of 1024, for programs that use select(2). Other programs may raise
/// it to the hard limit (setrlimit(2)).
enum OpenFiles {
    /// The number of connections that are accepted, and the limits from which it follows.
    struct Admission: Equatable, Sendable {
        /// `listen.maxConnections`, or what the limit of open files allows.
        let connections: Int
        fileprivate let wanted: Int
        fileprivate let limit: Int
        fileprivate let reserved: Int

        /// Logs a warning if fewer connections are accepted than configured.
        func tell(_ logger: Logger) {
            guard connections < wanted else { return }
            logger.warning(
                "fewer connections are accepted than listen.maxConnections: raise the limit of open files",
                metadata: [
                    "maxConnections": "\(wanted)", "accepted": "\(connections)", "openFiles": "\(limit)",
                    "needed": "\(wanted + reserved)",
                ]
            )
        }
    }

    /// Raises the soft limit to the hard limit.
    ///
    /// - Throws: ``ExitError`` with `EX_CONFIG` when the limit is too low for the config.
    static func admit(_ settings: Settings) throws(ExitError) -> Admission {
        try admit(settings, limit: raise(), cores: max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
    }

    static func admit(_ settings: Settings, limit: Int, cores: Int) throws(ExitError) -> Admission {
        let budget = FileBudget(settings, cores: cores)
        let wanted = settings.listen.connections.most
        guard let connections = budget.connections(upTo: wanted, in: limit) else {
            let shares = budget.shares.map { "\($0.name) \($0.files)" }.joined(separator: ", ")
            throw .config(
                "The limit of open files is \(limit), and this config needs \(budget.total) beside its clients' "
                    + "connections (\(shares)). Raise it to \(budget.total + FileBudget.fewest) at least (ulimit -n, or "
                    + "LimitNOFILE= under systemd), or lower what is configured."
            )
        }
        return Admission(connections: connections, wanted: wanted, limit: limit, reserved: budget.total)
    }

    /// The time between two checks: several checks fit between two files opened by the task library (``SpareFiles``).
    private static let interval: Duration = .milliseconds(100)

    /// Checks for a shortage of files until the task is cancelled.
    static func watch(_ counts: ConnectionCounts, _ clock: any MonotonicClock) async {
        while !Task.isCancelled {
            do { try await clock.sleep(until: clock.now + interval) } catch { return }
            counts.checkFiles()
        }
    }

    /// Opens /dev/null for standard streams that are closed, and ignores SIGPIPE.
    ///
    /// Otherwise a file that is opened later, like the database, would get a stream's number, and the log would be
    /// written into it: open(2) returns the lowest free number.
    static func fillStandardStreams() {
        signal(SIGPIPE, SIG_IGN)
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Returns the soft limit afterwards: a limit that can't be raised stays as it is.
    private static func raise() -> Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return .max }
        limits.rlim_cur = limits.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return ProcessReadings.fileLimit
    }
}
