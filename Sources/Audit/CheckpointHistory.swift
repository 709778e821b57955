package import Kernel
import Synchronization

/// The evidence of past times in the signed checkpoints.
package final class CheckpointHistory: Sendable {
    /// The greatest age of a checkpoint that supports the wall clock.
    ///
    /// A machine that is used once a week has such a checkpoint.
    package static let recent: Duration = .seconds(8 * 86_400)
    /// The greatest number of lines of one chain to read, newest first, since each line costs a signature check.
    private static let furthest = 2000

    private let signing: any CheckpointSigning
    private let log: any CheckpointLog
    /// The results of the last search, by chain.
    private let searched = Mutex<[String: Searched]>([:])

    /// The newest checkpoint of a chain among the first lines of the log.
    private struct Searched {
        let lines: Int
        let newest: AuditCheckpoint?
    }

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
        guard let lines = try? log.rememberedLines() else { return false }
        var counts: [String: Int] = [:]
        for line in lines.reversed() {
            guard let checkpoint = signing.read(line), checkpoint.at <= now + SteadyClock.tolerance else {
                return false
            }
            counts[checkpoint.node, default: 0] += 1
            guard counts[checkpoint.node, default: 0] <= Self.furthest else { return false }
            if checkpoint.at <= now - SteadyClock.proof, checkpoint.at >= now - Self.recent { return true }
        }
        return false
    }

    /// Returns the newest checkpoint of each of the chains that is not younger than `limit`.
    ///
    /// The lines of a chain without new rows may be far back, behind those of many other chains. So the next search
    /// continues where this one ended, and of the lines on the way no signature is checked.
    /// - Throws: ``AuditMismatchError`` for a text that is no checkpoint or a checkpoint that this server did not sign,
    ///   and the error of reading the log.
    func newest(of chains: [String], before limit: Instant) throws -> [String: AuditCheckpoint] {
        let lines = try log.rememberedLines()
        let end = try self.end(of: lines, before: limit)
        return try searched.withLock { searched in
            // A log that became shorter, or a clock that was put back.
            if searched.values.contains(where: { $0.lines > end }) { searched = [:] }
            var (missing, found) = (Set(chains), [String: AuditCheckpoint]())
            var index = end
            while true {
                for name in missing {
                    guard let known = searched[name], known.lines == index else { continue }
                    found[name] = known.newest
                    missing.remove(name)
                }
                guard !missing.isEmpty, index > 0 else { break }
                index -= 1
                guard let claimed = signing.readUnverified(lines[index]) else { throw AuditMismatchError(number: 0) }
                guard missing.contains(claimed.node) else { continue }
                guard let checkpoint = signing.read(lines[index]) else { throw AuditMismatchError(number: 0) }
                missing.remove(checkpoint.node)
                found[checkpoint.node] = checkpoint
            }
            for name in chains { searched[name] = Searched(lines: end, newest: found[name]) }
            return found
        }
    }

    /// Returns the number of lines up to the last one that is not younger than `limit`, by binary search.
    private func end(of lines: [String], before limit: Instant) throws -> Int {
        var low = 0
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            guard let checkpoint = signing.read(lines[middle]) else { throw AuditMismatchError(number: 0) }
            if checkpoint.at <= limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
