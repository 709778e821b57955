import Foundation

/// How much memory the process has had at once, as Linux counts it (proc(5), VmHWM).
package enum PeakMemory {
    /// How much more a fuzzing test may come to need than there was at its beginning, in bytes.
    package static let mostGrowth = 256 << 20

    /// In bytes; `nil` where the system doesn't say.
    package static func bytes() -> Int? {
        guard let status = FileManager.default.contents(atPath: "/proc/self/status") else { return nil }
        return bytes(in: String(decoding: status, as: UTF8.self))
    }

    /// Of the lines of `/proc/self/status` that with the peak.
    package static func bytes(in status: String) -> Int? {
        for line in status.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.first == "VmHWM:", words.count == 3, words[2] == "kB" { return Int(words[1]).map { $0 << 10 } }
        }
        return nil
    }
}
