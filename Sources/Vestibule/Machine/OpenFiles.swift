import Assembly
import Glibc
import HTTPAPI
import Kernel
import Logging
import Settings

/// How many files, and so connections, the system lets this process hold.
///
/// Distributions start a process with a soft limit of 1024 for the sake of programs that use select(2). Other programs
/// may raise it to the hard limit (setrlimit(2)).
enum OpenFiles {
    /// How many connections may be accepted, and why not more.
    struct Admission: Equatable, Sendable {
        /// `listen.maxConnections`, or what the limit leaves room for.
        let connections: Int
        fileprivate let wanted: Int
        fileprivate let limit: Int
        fileprivate let reserved: Int

        /// Tells the operator where they are fewer than configured.
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

    /// Raises the soft limit to the hard one.
    ///
    /// - Throws: ``ExitError`` with the code of a faulty config where the limit is too low for the config.
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

    /// Between two looks: several fit between two files that the library which runs all tasks opens (``SpareFiles``).
    private static let interval: Duration = .milliseconds(100)

    /// Looks for a want of files until the task is cancelled.
    static func watch(_ counts: ConnectionCounts, _ clock: any MonotonicClock) async {
        while !Task.isCancelled {
            do { try await clock.sleep(until: clock.now + interval) } catch { return }
            counts.checkFiles()
        }
    }

    /// Opens /dev/null for standard streams that are closed, and ignores the signal that the reader of one is gone.
    ///
    /// Else a file that is opened later, like the database, would take the number, and the log would be written into
    /// it. The call open(2) takes the lowest free number.
    static func fillStandardStreams() {
        signal(SIGPIPE, SIG_IGN)
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// The soft limit afterwards: one that may not be raised stays as it is.
    private static func raise() -> Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return .max }
        limits.rlim_cur = limits.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return ProcessReadings.fileLimit
    }
}
