package import Kernel

/// What the checkpoints on record tell of the time before.
package struct CheckpointHistory: Sendable {
    /// How old a checkpoint may be to speak for the wall clock.
    package static let recent: Duration = .seconds(3 * 86_400)

    private let seal: any CheckpointSealing
    private let log: any CheckpointLog

    package init(seal: any CheckpointSealing, log: any CheckpointLog) {
        self.seal = seal
        self.log = log
    }

    /// Whether a checkpoint speaks for a wall clock that is there: one of the days before.
    ///
    /// It has to be a day old: one of the last hours may have been made by this same clock when it was wrong already, by a
    /// daemon that was started more than once meanwhile. What can't be read speaks for nothing. Reads a file.
    package func bearsOut(_ now: Instant) -> Bool {
        guard let checkpoint = try? newest(before: now - SteadyClock.proof) else { return false }
        return checkpoint.at >= now - Self.recent
    }

    /// The newest one that is as old as that.
    ///
    /// By halves: the log can be long, and each line read costs a signature.
    /// - Throws: ``AuditMismatch``; what reading the log throws.
    func newest(before limit: Instant) throws -> AuditCheckpoint? {
        let lines = try log.lines()
        var low = 0
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            guard let checkpoint = seal.open(lines[middle]) else { throw AuditMismatch(number: 0) }
            if checkpoint.at <= limit { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? seal.open(lines[low - 1]) : nil
    }
}
