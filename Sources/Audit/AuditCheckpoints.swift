package import Kernel
package import Logging
import Synchronization

/// Signs a checkpoint of the chain's end at each interval, and one more when the daemon stops.
package final class AuditCheckpoints: Sendable {
    private let chain: AuditChain
    private let unitOfWork: any UnitOfWork
    private let signing: any CheckpointSigning
    private let log: any CheckpointLog
    private let interval: Duration
    private let environment: Environment
    private let logger: Logger
    /// The checkpoints that this process last read or wrote; `nil` until it has read the log.
    private let known = Mutex<Known?>(nil)

    /// The checkpoints as the log and the chain record them.
    private struct Known {
        /// The last checkpoint in the log.
        var checkpoint: AuditCheckpoint?
        /// The log's number of lines, and its size in bytes.
        var lines: Int
        var size: Int64
        /// The chain's newest row that counts checkpoints, and its count.
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

    /// Makes checkpoints until the task is cancelled, and then one more.
    package func run() async {
        await begin()
        while !Task.isCancelled {
            await writeOrWarn()
            do { try await environment.clock.sleep(until: environment.clock.now + interval) } catch { break }
        }
        await writeOrWarn()
    }

    /// Signs a checkpoint of a chain that has no row yet, and logs a warning if that fails.
    ///
    /// The daemon, or a command that runs without it, awaits this before it writes any other row. Does nothing for a
    /// chain with rows.
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
    /// Checks first that the chain still contains the row of the last checkpoint. A new signature over a replaced chain
    /// would vouch for it.
    ///
    /// Blocks while a line is written to the log's file.
    ///
    /// - Returns: The newest checkpoint; `nil` when the chain has no rows and ``begin()`` has not signed it.
    /// - Throws: ``AuditEndMissingError`` when the chain ends before the row of the last checkpoint.
    ///   ``AuditRewrittenError`` when that row has changed. ``AuditCheckpointForgedError`` when this server did not
    ///   sign the last line. ``AuditCheckpointsMissingError`` when the chain counts more checkpoints than the log has.
    package func write() async throws -> AuditCheckpoint? {
        let before = try await read()
        // A unit of work completes in a cancelled task too: the last checkpoint is made when the daemon stops.
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

    /// Signs a checkpoint of the empty chain, and then writes the chain's first row, which counts that checkpoint.
    ///
    /// The checkpoint is durable before the row, so a crash between the two does not look like deleted rows. Later, the
    /// first row proves that the checkpoint existed.
    private func signEmptyChain() async throws {
        let head = try await unitOfWork.run { [chain] transaction in
            try chain.store.head(of: chain.node, in: transaction)
        }
        let lines = try log.lines()
        guard head == nil, lines.count < 2 else { return }
        if let line = lines.first {
            // A crash came after this line and before the first row.
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

    /// Records that the earlier checkpoints are lost, and makes a new first one.
    ///
    /// - Throws: ``AuditCheckpointsPresentError`` while the log has lines, and the errors of ``write()``.
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

    /// The last checkpoint that this process read or made.
    package var newestKnown: AuditCheckpoint? { known.withLock { $0?.checkpoint } }

    /// Returns the recorded checkpoints, read again if the log's size has changed since this process last used it.
    private func read() async throws -> Known {
        let size = try log.size()
        if let known = known.withLock({ $0 }), known.size == size { return known }
        let lines = try log.lines()
        var checkpoint: AuditCheckpoint?
        if let last = lines.last {
            // With a forged last line, the log is not treated as empty: a new checkpoint would hide the lost ones.
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

    /// Signs the chain's end, unless the only newer row is the one that counts the last checkpoint.
    private func sign(_ head: AuditHead, after before: Known) throws -> Known {
        try known.withLock { known in
            // Another process may have made a checkpoint of the same chain since `before` was read.
            var latest = known ?? before
            if let signed = latest.checkpoint?.number {
                // A chain's first row also only counts a checkpoint, but is signed: otherwise nothing would show that
                // all rows were deleted.
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

    /// Records the number of checkpoints in the chain, unless the chain has it already.
    private func record(_ signed: Known) async throws {
        guard signed.lines > signed.recorded?.count ?? 0 else { return }
        let (count, now) = (signed.lines, environment.now())
        let row = try await unitOfWork.run { [chain] transaction in
            try chain.appendRow(AuditSigning(count: count).entry(node: chain.node, at: now), in: transaction)
        }
        known.withLock { $0?.recorded = (row, count) }
    }
}

/// The chain counts more checkpoints than the log has: the log's file was deleted, shortened, or replaced by an old
/// one.
package struct AuditCheckpointsMissingError: Error, Equatable, CustomStringConvertible {
    /// The number of checkpoints that the chain counts.
    package let signed: Int
    /// The number of lines in the log.
    package let found: Int

    package var description: String {
        "\(signed) checkpoint(s) of the audit were signed and \(found) are there: rows may have been cut off with the others. "
            + "Put the file of `audit.checkpoints` back from a copy and run `vestibule audit verify`. Without a copy, move "
            + "the file away and run `vestibule audit checkpoint --anew`, which records the loss"
    }
}

/// Checkpoints can only be counted from zero again when the log has no lines.
package struct AuditCheckpointsPresentError: Error, Equatable, CustomStringConvertible {
    package let count: Int

    package var description: String {
        "\(count) checkpoint(s) are there. Move their file (`audit.checkpoints`) away first, and keep it"
    }
}

/// The chain ends before its last checkpoint: rows were deleted, or an old state of the database was restored.
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

/// The row of the last checkpoint differs from the signed one.
///
/// Either an old database was restored and has grown since, or the chain was rewritten.
package struct AuditRewrittenError: Error, Equatable, CustomStringConvertible {
    /// The number of the row that differs.
    package let number: Int64

    package var description: String {
        "row \(number) of the audit is not the one that the last checkpoint signed: the chain was rewritten, or an old "
            + "database was restored. Nothing was signed: run `vestibule audit verify`"
    }
}

/// This server did not sign the last line of the checkpoint log: the line was changed, forged, or signed with other
/// keys.
package struct AuditCheckpointForgedError: Error, Equatable, CustomStringConvertible {
    /// The line's number, counted from 1.
    package let line: Int

    package var description: String {
        "line \(line) of the audit's checkpoints, the last one, was not signed with these keys. Nothing was signed: run "
            + "`vestibule audit verify`"
    }
}
