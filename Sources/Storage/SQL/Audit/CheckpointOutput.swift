import Audit
import Kernel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes each checkpoint as a line to standard output, for a daemon without a disk of its own.
///
/// What was written can't be read back, so that this is only the copy of a log.
package struct CheckpointOutput: CheckpointLog {
    package static let standardOutput = CheckpointOutput(descriptor: STDOUT_FILENO)
    /// For a command whose standard output has what it prints.
    package static let standardError = CheckpointOutput(descriptor: STDERR_FILENO)

    let descriptor: Int32

    package func lines() -> [String] { [] }

    package func size() -> Int64 { 0 }

    package func append(_ lines: [String], after size: Int64) throws -> Int64 {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw StoreError.unavailable(
                    cause: "can't write a checkpoint to an output: \(String(cString: strerror(errno)))"
                )
            }
            written += count
        }
        return 0
    }
}
