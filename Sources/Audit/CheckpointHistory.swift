package import Kernel

/// The evidence in the recorded checkpoints about earlier times.
package struct CheckpointHistory: Sendable {
    /// The greatest age of a checkpoint that supports the wall clock: a machine that is used once a week has one.
    package static let recent: Duration = .seconds(8 * 86_400)
    /// The number of lines that are read, from the last one back, each of which costs a signature.
    private static let furthest = 2000

    private let signing: any CheckpointSigning
    private let log: any CheckpointLog

    package init(signing: any CheckpointSigning, log: any CheckpointLog) {
        self.signing = signing
        self.log = log
    }

    /// Returns whether a checkpoint of an earlier day supports the wall clock.
    ///
    /// The checkpoint has to be a day old. A newer one may be of this same clock when it was wrong already, by a daemon
    /// that was started more than once since. A checkpoint later than now contradicts the clock: it is behind.
    /// Checkpoints of a day long ago, which a clock that begins in 1970 leaves at each start, say nothing. Unreadable
    /// lines support nothing. Reads a file.
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

    /// Returns the newest one that is as old as that.
    ///
    /// By halves: the log can be long, and each line read costs a signature.
    /// - Throws: ``AuditMismatchError``; what reading the log throws.
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
