package import Kernel
package import Logging
import Synchronization

/// Makes a checkpoint of the chain's end at its interval, and one more when the daemon stops.
package final class AuditCheckpoints: Sendable {
    private let chain: AuditChain
    private let unitOfWork: any UnitOfWork
    private let signing: any CheckpointSigning
    private let log: any CheckpointLog
    private let interval: Duration
    private let environment: Environment
    private let logger: Logger
    /// The state that this process last read or wrote; `nil` until the log was read.
    private let known = Mutex<Known?>(nil)

    /// The checkpoints according to log and chain.
    private struct Known {
        /// The last one.
        var checkpoint: AuditCheckpoint?
        /// How many lines the log has, and how many bytes.
        var lines: Int
        var size: Int64
        /// The chain's newest row about checkpoints, and how many it says that there are.
        var recorded: (row: Int64, count: Int)?
    }

    package init(
        chain: AuditChain,
        unitOfWork: any UnitOfWork,
        signing: any CheckpointSigning,
        log: any CheckpointLog,
        interval: Duration,
        environment: Environment,
        logger: Logger
    ) {
        self.chain = chain
        self.unitOfWork = unitOfWork
        self.signing = signing
        self.log = log
        self.interval = interval
        self.environment = environment
        self.logger = logger
    }

    /// Writes until the task is cancelled, and then once more.
    package func run() async {
        await begin()
        while !Task.isCancelled {
            await writeOrWarn()
            do { try await environment.clock.sleep(until: environment.clock.now + interval) } catch { break }
        }
        await writeOrWarn()
    }

    /// Signs a chain that has no row yet, and warns where it can't.
    ///
    /// Awaited by a daemon, or by a command without one, before anything else writes a row. Does nothing for a chain that has
    /// rows.
    package func begin() async { await warn { try await signEmptyChain() } }

    private func writeOrWarn() async { await warn { _ = try await write() } }

    private func warn(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch let missing as AuditEndMissingError {
            logger.error(
                "the audit ends before its last checkpoint: rows are missing, or the database is an old or another one",
                metadata: ["expected": "\(missing.expected)", "found": "\(missing.found)"]
            )
        } catch let missing as AuditCheckpointsMissingError {
            logger.error(
                "checkpoints of the audit are gone, and rows may be too: put the checkpoints back from a copy",
                metadata: ["expected": "\(missing.signed)", "found": "\(missing.found)", "cause": "\(missing)"]
            )
        } catch let fault where fault is AuditRewrittenError || fault is AuditCheckpointForgedError {
            logger.error(
                "the audit is not the one that was signed: run `vestibule audit verify`",
                metadata: ["cause": "\(fault)"]
            )
        } catch {
            logger.warning("no checkpoint of the audit could be made", metadata: ["cause": "\(error)"])
        }
    }

    /// Makes a checkpoint of the chain's end, and records in the chain the number of checkpoints.
    ///
    /// A new checkpoint extends the last signed one: over a replaced chain nothing is signed, or the new signature
    /// would vouch for it.
    ///
    /// Blocks for a line of a file.
    ///
    /// - Returns: The newest checkpoint; `nil` when the audit has no rows and was not begun.
    /// - Throws: ``AuditEndMissingError`` when the last checkpoint is of a later row than the chain's end.
    ///   ``AuditRewrittenError`` when its row has changed. ``AuditCheckpointForgedError`` when this server did not sign
    ///   the last line. ``AuditCheckpointsMissingError`` when the chain records more checkpoints than there are.
    package func write() async throws -> AuditCheckpoint? {
        let before = try await read()
        // In a unit, which a cancelled task still gets done: the last checkpoint is made when the daemon stops.
        let (head, hash) = try await unitOfWork.run { [chain] transaction in
            let head = try chain.store.head(of: chain.node, in: transaction)
            guard let checkpoint = before.checkpoint else { return (head, Digest256?.none) }
            return (head, try chain.store.hash(of: chain.node, at: checkpoint.number, in: transaction))
        }
        if let checkpoint = before.checkpoint, !checkpoint.isOfEmptyChain {
            guard let head, head.number >= checkpoint.number else {
                throw AuditEndMissingError(last: head?.number ?? 0, checkpoint: checkpoint.number)
            }
            guard let hash, hash.matches(checkpoint.hash) else { throw AuditRewrittenError(number: checkpoint.number) }
        }
        let after = if let head { try sign(head, after: before) } else { before }
        try await record(after)
        return after.checkpoint
    }

    /// Signs that the chain is empty, and then writes its first row, which counts that checkpoint.
    ///
    /// The checkpoint is durable before the row. If rows are cut off later, the first one still proves that the file
    /// existed. A crash between the two leaves nothing that looks like a cut.
    private func signEmptyChain() async throws {
        let head = try await unitOfWork.run { [chain] transaction in
            try chain.store.head(of: chain.node, in: transaction)
        }
        let lines = try log.lines()
        guard head == nil, lines.count < 2 else { return }
        if let line = lines.first {
            // A crash has left it alone.
            guard signing.read(line)?.isOfEmptyChain == true else { return }
        } else {
            try log.append(try signing.sign(AuditCheckpoint(emptyChainOf: chain.node, at: environment.now())))
        }
        let now = environment.now()
        try await unitOfWork.run { [chain] transaction in
            guard try chain.store.head(of: chain.node, in: transaction) == nil else { return }
            try chain.append(AuditSigning.beginning(node: chain.node, at: now), in: transaction)
        }
    }

    /// Records that the earlier checkpoints are lost, and begins with a new one.
    ///
    /// - Throws: ``AuditCheckpointsPresentError`` while there are some; the errors of ``write()``.
    package func beginAgain() async throws -> AuditCheckpoint? {
        let count = try log.lines().count
        guard count == 0 else { throw AuditCheckpointsPresentError(count: count) }
        let now = environment.now()
        try await unitOfWork.run { [chain] transaction in
            try chain.append(AuditSigning(count: 0).entry(node: chain.node, at: now), in: transaction)
        }
        known.withLock { $0 = nil }
        return try await write()
    }

    /// The last checkpoint, as far as this process knows.
    package var newestKnown: AuditCheckpoint? { known.withLock { $0?.checkpoint } }

    /// Returns what is on record; the log is read again where it has another size than this process left it with.
    private func read() async throws -> Known {
        let size = try log.size()
        if let known = known.withLock({ $0 }), known.size == size { return known }
        let lines = try log.lines()
        var checkpoint: AuditCheckpoint?
        if let last = lines.last {
            // A last line that this server did not sign must not lead to a new start: the loss that it hides would be
            // signed over.
            guard let read = signing.read(last) else { throw AuditCheckpointForgedError(line: lines.count) }
            checkpoint = read
        }
        let recorded = try await chain.newestSigning()
        if let recorded, recorded.count > lines.count {
            throw AuditCheckpointsMissingError(signed: recorded.count, found: lines.count)
        }
        let found = Known(checkpoint: checkpoint, lines: lines.count, size: size, recorded: recorded)
        known.withLock { $0 = found }
        return found
    }

    /// Signs the end of the chain, unless nothing came after the last checkpoint but its own row.
    private func sign(_ head: AuditHead, after before: Known) throws -> Known {
        try known.withLock { known in
            // Another process may have made a checkpoint of the same chain in between.
            var latest = known ?? before
            if let signed = latest.checkpoint?.number {
                // The first row of a chain is signed although it only counts the checkpoint before it: else nothing would
                // show that all rows are gone.
                let isOwnRow = signed > 0 && head.number == signed + 1 && latest.recorded?.row == head.number
                guard head.number > signed, !isOwnRow else { return latest }
            }
            let checkpoint = AuditCheckpoint(
                node: chain.node,
                number: head.number,
                hash: head.hash,
                at: environment.now()
            )
            try log.append(try signing.sign(checkpoint))
            latest.checkpoint = checkpoint
            latest.lines += 1
            latest.size = try log.size()
            known = latest
            return latest
        }
    }

    /// Puts on record how many checkpoints there are, where the chain does not say so yet.
    private func record(_ signed: Known) async throws {
        guard signed.lines > signed.recorded?.count ?? 0 else { return }
        let (count, now) = (signed.lines, environment.now())
        let row = try await unitOfWork.run { [chain] transaction in
            try chain.appendRow(AuditSigning(count: count).entry(node: chain.node, at: now), in: transaction)
        }
        known.withLock { $0?.recorded = (row, count) }
    }
}

/// The chain records more checkpoints than there are: their file was deleted, cut, or replaced by an old one.
package struct AuditCheckpointsMissingError: Error, Equatable, CustomStringConvertible {
    /// How many were signed.
    package let signed: Int
    /// How many are there.
    package let found: Int

    package var description: String {
        "\(signed) checkpoint(s) of the audit were signed and \(found) are there: rows may have been cut off with the others. "
            + "Put the file of `audit.checkpoints` back from a copy and run `vestibule audit verify`. Without a copy, move "
            + "the file away and run `vestibule audit checkpoint --anew`, which records the loss"
    }
}

/// A new start is allowed only without existing checkpoints.
package struct AuditCheckpointsPresentError: Error, Equatable, CustomStringConvertible {
    package let count: Int

    package var description: String {
        "\(count) checkpoint(s) are there. Move their file (`audit.checkpoints`) away first, and keep it"
    }
}

/// The audit ends before its last checkpoint: rows were cut off, or an old state of the database was restored.
package struct AuditEndMissingError: Error, Equatable, CustomStringConvertible {
    package let last: Int64
    package let checkpoint: Int64

    /// The expected state.
    var expected: String { "checkpoint of row \(checkpoint)" }
    /// The state found instead.
    var found: String { last == 0 ? "no row" : "row \(last) as the last" }

    package var description: String {
        "the audit ends with row \(last), but a checkpoint tells of row \(checkpoint): rows were cut off, or an old "
            + "database was restored. Run `vestibule audit verify`"
    }
}

/// The row of the last checkpoint differs from the signed one: an old database was restored and has grown since, or
/// somebody rewrote the chain.
package struct AuditRewrittenError: Error, Equatable, CustomStringConvertible {
    /// The row in question.
    package let number: Int64

    package var description: String {
        "row \(number) of the audit is not the one that the last checkpoint signed: the chain was rewritten, or an old "
            + "database was restored. Nothing was signed: run `vestibule audit verify`"
    }
}

/// This server did not sign the last line of the checkpoints: it was changed, added by somebody else, or signed with
/// other keys.
package struct AuditCheckpointForgedError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int

    package var description: String {
        "line \(line) of the audit's checkpoints, the last one, was not signed with these keys. Nothing was signed: run "
            + "`vestibule audit verify`"
    }
}
