import Glibc

/// The system's readings of this process (proc(5)); `nil` where the system has none.
package enum ProcessReadings {
    static var cpuSeconds: Double? {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    static var openFiles: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        // Does not count the descriptor that was opened to read the folder.
        return count - 1
    }

    /// The soft limit of open files; `Int.max` if there is none.
    package static var fileLimit: Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return .max }
        return Int(clamping: limits.rlim_cur)
    }

    static var memory: (virtual: Int, resident: Int)? {
        guard let words = fields("/proc/self/statm"), words.count > 1, let virtual = Int(words[0]),
            let resident = Int(words[1])
        else { return nil }
        let page = sysconf(CInt(_SC_PAGESIZE))
        return (virtual * page, resident * page)
    }

    /// The start of the process, in seconds since 1970.
    static let startTime: Double? = {
        // The program's name, in parentheses, may contain blanks. The text after it begins with field 3.
        guard let status = text("/proc/self/stat"), let end = status.lastIndex(of: ")"),
            let boot = text("/proc/stat")?.split(separator: "\n").first(where: { $0.hasPrefix("btime ") })
        else { return nil }
        let words = status[end...].split(separator: " ")
        guard words.count > 20, let ticks = Double(words[20]), let booted = Double(boot.dropFirst("btime ".count))
        else {
            return nil
        }
        return booted + ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
    }()

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }

    private static func fields(_ path: String) -> [Substring]? { text(path)?.split(separator: " ") }

    /// Returns the whole content of a file in /proc, whose size is not known beforehand.
    private static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 1 << 20 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
