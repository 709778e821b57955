import Glibc

/// Keeps memory out of crash reports: the log only tells where the crash happened.
///
/// If swift-backtrace is installed, the runtime makes it write every register and the bytes that registers point to.
/// Those may be a key, a password or a token (CWE-532). It is configured only by an environment variable that is set
/// before the process starts.
enum CrashReports {
    static let variable = "SWIFT_BACKTRACE"
    private static let registers = "registers="

    /// Executes this program again with registers left out, unless it was started that way.
    ///
    /// If that fails, the process continues: a report with registers is better than no daemon.
    static func withoutMemory() {
        let current = getenv(variable).map { String(cString: $0) } ?? ""
        guard let wanted = setting(after: current) else { return }
        setenv(variable, wanted, 1)
        ForeignVariables.restored { execv("/proc/self/exe", CommandLine.unsafeArgv) }
    }

    /// Returns the value that the variable needs, or `nil` if its value is sufficient.
    static func setting(after current: String) -> String? {
        let parts = current.split(separator: ",").map(String.init)
        if parts.contains("enable=no") || parts.last(where: { $0.hasPrefix(registers) }) == registers + "none" {
            return nil
        }
        return (parts.filter { !$0.hasPrefix(registers) } + [registers + "none"]).joined(separator: ",")
    }
}
