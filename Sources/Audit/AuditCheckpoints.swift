package import Kernel
package import Logging
import Synchronization

/// Makes a checkpoint of the chain's end at its interval, and one more when the daemon stops.
package final class AuditCheckpoints: Sendable {
    private let node: String
    private let store: any AuditStore
    private let unitOfWork: any UnitOfWork
    private let seal: any CheckpointSealing
    private let log: any CheckpointLog
    private let interval: Duration
    private let facts: Facts
    private let logger: Logger
    /// The last one on record; outer `nil` until the log was read.
    private let last = Mutex<AuditCheckpoint??>(nil)

    package init(
        node: String,
        store: any AuditStore,
        unitOfWork: any UnitOfWork,
        seal: any CheckpointSealing,
        log: any CheckpointLog,
        interval: Duration,
        facts: Facts,
        logger: Logger
    ) {
        self.node = node
        self.store = store
        self.unitOfWork = unitOfWork
        self.seal = seal
        self.log = log
        self.interval = interval
        self.facts = facts
        self.logger = logger
    }

    /// Writes until the task is cancelled, and then once more.
    package func run() async {
        while !Task.isCancelled {
            await writeOrWarn()
            do { try await facts.clock.sleep(until: facts.clock.now + interval) } catch { break }
        }
        await writeOrWarn()
    }

    private func writeOrWarn() async {
        do { _ = try await write() } catch let missing as AuditEndMissing {
            logger.error(
                "the audit ends before its last checkpoint: an empty, old or other database, or rows were cut off",
                metadata: ["expected": "\(missing.expected)", "found": "\(missing.found)"]
            )
        } catch let fault where fault is AuditRewritten || fault is AuditCheckpointForged {
            logger.error("the audit is not the one that was signed", metadata: ["cause": "\(fault)"])
        } catch {
            logger.warning("no checkpoint of the audit could be made", metadata: ["cause": "\(error)"])
        }
    }

    /// Makes a checkpoint of the chain's end as it is now.
    ///
    /// What is signed here goes on from what was signed last: over a chain that is another one by now nothing is signed, or
    /// the new signature would vouch for it.
    ///
    /// Blocks for a line of a file.
    /// - Returns: The newest checkpoint; `nil` when the audit has no rows.
    /// - Throws: ``AuditEndMissing`` when the last checkpoint tells of more rows than there are; ``AuditRewritten`` when its
    ///   row is another one now; ``AuditCheckpointForged`` when the last line is no checkpoint of ours.
    package func write() async throws -> AuditCheckpoint? {
        let before = try last.withLock { known in
            let before = try known ?? newest()
            known = .some(before)
            return before
        }
        // In a unit, which a cancelled task still gets done: the last checkpoint is made when the daemon stops.
        let (head, hash) = try await unitOfWork.run { [store, node] transaction in
            let head = try store.head(of: node, in: transaction)
            guard let before else { return (head, Digest256?.none) }
            return (head, try store.hash(of: node, at: before.number, in: transaction))
        }
        if let before {
            guard let head, head.number >= before.number else {
                throw AuditEndMissing(last: head?.number ?? 0, checkpoint: before.number)
            }
            guard let hash, hash.matches(before.hash) else { throw AuditRewritten(number: before.number) }
        }
        return try last.withLock { known in
            // Another one of the same chain may have been made in between.
            let latest: AuditCheckpoint? = known ?? nil
            guard let head, head.number > latest?.number ?? 0 else { return latest }
            let checkpoint = AuditCheckpoint(node: node, number: head.number, hash: head.hash, at: facts.now())
            try log.append(try seal.seal(checkpoint))
            known = .some(checkpoint)
            return checkpoint
        }
    }

    /// The last checkpoint, as far as this process knows.
    package var newestKnown: AuditCheckpoint? { last.withLock { $0 ?? nil } }

    /// A last line that is none of ours is no reason to begin anew: what it stood for would be signed over.
    private func newest() throws -> AuditCheckpoint? {
        let lines = try log.lines()
        guard let last = lines.last else { return nil }
        guard let checkpoint = seal.open(last) else { throw AuditCheckpointForged(line: lines.count) }
        return checkpoint
    }
}

/// The audit ends before its last checkpoint: rows were cut off, or an old state of the database was brought back.
package struct AuditEndMissing: Error, Equatable, CustomStringConvertible {
    package let last: Int64
    package let checkpoint: Int64

    /// What should be there.
    var expected: String { "checkpoint of row \(checkpoint)" }
    /// What is there in its place.
    var found: String { last == 0 ? "no row" : "row \(last) as the last" }

    package var description: String {
        "the audit ends with row \(last), but a checkpoint tells of row \(checkpoint): rows were cut off, or an old "
            + "database was brought back; run `vestibule audit verify`"
    }
}

/// The row of the last checkpoint is another one than was signed: an old database was brought back and has grown since, or
/// somebody wrote the chain anew.
package struct AuditRewritten: Error, Equatable, CustomStringConvertible {
    /// The row in question.
    package let number: Int64

    package var description: String {
        "row \(number) of the audit is not the one that the last checkpoint signed: the chain was rewritten, or an old "
            + "database was brought back and has grown since; nothing was signed; run `vestibule audit verify`"
    }
}

/// The last line of the checkpoints is none that this server signed: it was changed, added by somebody, or signed with
/// other keys.
package struct AuditCheckpointForged: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int

    package var description: String {
        "line \(line) of the audit's checkpoints, the last one, was not signed with these keys; nothing was signed; run "
            + "`vestibule audit verify`"
    }
}
