import Glibc

/// What a crash leaves in the log: where it happened, and nothing of what was in memory.
///
/// Where swift-backtrace is installed the runtime has it write every register, and the bytes that it points to: a key, a
/// password or a token as likely as anything else (CWE-532). It is told by its variable alone, before the process begins.
enum CrashReports {
    static let variable = "SWIFT_BACKTRACE"
    private static let registers = "registers="

    /// Begins this process again with registers left out, unless it was begun so.
    ///
    /// Where that can't be, it goes on: a report too many is better than no daemon.
    static func withoutMemory() {
        let current = getenv(variable).map { String(cString: $0) } ?? ""
        guard let wanted = setting(after: current) else { return }
        setenv(variable, wanted, 1)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
    }

    /// What the variable should say; `nil` where it does already.
    static func setting(after current: String) -> String? {
        let parts = current.split(separator: ",").map(String.init)
        if parts.contains("enable=no") || parts.last(where: { $0.hasPrefix(registers) }) == registers + "none" {
            return nil
        }
        return (parts.filter { !$0.hasPrefix(registers) } + [registers + "none"]).joined(separator: ",")
    }
}
