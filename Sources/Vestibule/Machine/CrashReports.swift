import Glibc

/// Keeps memory out of a crash's report: the log tells only where the crash happened.
///
/// The runtime has an installed swift-backtrace write every register, and the bytes that it points to. They are a key,
/// a password or a token as likely as anything else (CWE-532). Its variable alone configures it, before the process
/// begins.
enum CrashReports {
    static let variable = "SWIFT_BACKTRACE"
    private static let registers = "registers="

    /// Begins this process again with registers left out, unless it was begun so.
    ///
    /// If that fails, the process continues: a report too many is better than no daemon.
    static func withoutMemory() {
        let current = getenv(variable).map { String(cString: $0) } ?? ""
        guard let wanted = setting(after: current) else { return }
        setenv(variable, wanted, 1)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
    }

    /// Returns the variable's wanted value; `nil` if it has it already.
    static func setting(after current: String) -> String? {
        let parts = current.split(separator: ",").map(String.init)
        if parts.contains("enable=no") || parts.last(where: { $0.hasPrefix(registers) }) == registers + "none" {
            return nil
        }
        return (parts.filter { !$0.hasPrefix(registers) } + [registers + "none"]).joined(separator: ",")
    }
}
