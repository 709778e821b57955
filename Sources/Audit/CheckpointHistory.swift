package import Kernel

/// The evidence of past times in the signed checkpoints.
package struct CheckpointHistory: Sendable {
    /// The greatest age of a checkpoint that supports the wall clock.
    ///
    /// A machine that is used once a week has such a checkpoint.
    package static let recent: Duration = .seconds(8 * 86_400)
    /// The greatest number of lines to read, newest first, since each line costs a signature check.
    private static let furthest = 2000

    private let signing: any CheckpointSigning
    private let log: any CheckpointLog

    package init(signing: any CheckpointSigning, log: any CheckpointLog) {
        self.signing = signing
        self.log = log
    }

    /// Whether a checkpoint of an earlier day supports the wall clock.
    ///
    /// Reads the log's file.
    ///
    /// The checkpoint has to be at least a day old. A daemon that restarted while the clock was wrong may have signed a
    /// newer one with that wrong time. A checkpoint dated after `now` shows that the clock is behind. Checkpoints older
    /// than ``recent`` say nothing: a clock that begins in 1970 leaves some at each start. An unreadable line supports
    /// nothing.
    package func supports(_ now: Instant) -> Bool {
        guard let lines = try? log.lines() else { return false }
        for line in lines.suffix(Self.furthest).reversed() {
            guard let checkpoint = signing.read(line), checkpoint.at <= now + SteadyClock.tolerance else {
                return false
            }
            if checkpoint.at <= now - SteadyClock.proof, checkpoint.at >= now - Self.recent { return true }
        }
        return false
    }

    /// Returns the newest checkpoint that is not younger than `limit`.
    ///
    /// Uses binary search: the log can be long, and each line costs a signature check.
    /// - Throws: ``AuditMismatchError`` for a line that this server did not sign, and the error of reading the log.
    func newest(before limit: Instant) throws -> AuditCheckpoint? {
        let lines = try log.lines()
        var low = 0
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            guard let checkpoint = signing.read(lines[middle]) else { throw AuditMismatchError(number: 0) }
            if checkpoint.at <= limit { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? signing.read(lines[low - 1]) : nil
    }
}
