import Foundation

/// The kernel's counters of the daemon and its connections.
enum KernelCounters {
    /// SYNs that found a listen queue full, and SYNs that had to be sent again, of all sockets since the machine started.
    static func droppedSYNs() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/net/netstat", encoding: .utf8).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("TcpExt:") }.map { $0.split(separator: " ") }
        guard rows.count == 2 else { throw SeedError(text: "the kernel's TCP counters can't be read") }
        return zip(rows[0], rows[1]).reduce(0) { sum, pair in
            ["ListenOverflows", "ListenDrops", "TCPSynRetrans"].contains(String(pair.0))
                ? sum + (Int(pair.1) ?? 0) : sum
        }
    }

    /// The process's resident memory.
    static func residentKiB(of pid: Int) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let value = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw SeedError(text: "the memory of process \(pid) can't be read")
        }
        return value
    }
}
