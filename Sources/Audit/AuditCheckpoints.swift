package import Kernel
package import Logging
import Synchronization

/// Signs a checkpoint of the end of each chain that has new rows, at each interval and when the daemon stops.
package final class AuditCheckpoints: Sendable {
    private let chain: AuditChain
    private let unitOfWork: any UnitOfWork
    private let signing: any CheckpointSigning
    private let log: any CheckpointLog
    private let interval: Duration
    private let environment: Environment
    private let logger: Logger
    /// The checkpoints that this process last read or wrote; `nil` until it has read the log.
    private let known = Mutex<KnownCheckpoints?>(nil)

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

    /// Signs a checkpoint of an audit that has no row yet, and logs a warning if that fails.
    ///
    /// The daemon, or a command that runs without it, awaits this before it writes any other row. Does nothing for an
    /// audit with rows.
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

    /// Makes a checkpoint of the end of each chain with new rows, and records in the chain the number of checkpoints.
    ///
    /// Checks first that every chain still contains the row of its last checkpoint. A new signature over a replaced
    /// chain would vouch for it.
    ///
    /// Blocks while lines are written to the log's file.
    ///
    /// - Returns: The newest checkpoint of each chain in the order of the lanes. There is none while the audit has no
    ///   rows and ``begin()`` has not signed it.
    /// - Throws: ``AuditEndMissingError`` when a chain ends before the row of its last checkpoint.
    ///   ``AuditRewrittenError`` when that row has changed. ``AuditCheckpointForgedError`` when this server did not
    ///   sign a line, or a line was put in another one's place. ``AuditCheckpointsMissingError`` when a chain counts more
    ///   checkpoints than the log has.
    package func write() async throws -> [CheckpointLine] {
        let before = try await read()
        let ends = try await ends(besides: before)
        for end in ends { try check(end, against: before.newest[end.name]?.checkpoint) }
        let after = try sign(ends, after: before)
        try await record(after)
        return ends.compactMap { after.newest[$0.name] }
    }

    /// Returns the ends of the chains, also of a chain that only its checkpoint still names.
    private func ends(besides before: KnownCheckpoints) async throws -> [ChainEnd] {
        // A unit of work completes in a cancelled task too: the last checkpoint is made when the daemon stops.
        try await unitOfWork.run { [chain, newest = before.newest] transaction in
            try chain.names(and: Array(newest.keys), in: transaction).map { name in
                ChainEnd(
                    name: name,
                    head: try chain.store.head(of: name, in: transaction),
                    signed: try newest[name].flatMap {
                        try chain.store.hash(of: name, at: $0.checkpoint.number, in: transaction)
                    }
                )
            }
        }
    }

    private func check(_ end: ChainEnd, against checkpoint: AuditCheckpoint?) throws {
        guard let checkpoint, !checkpoint.isOfEmptyChain else { return }
        let (number, label) = (checkpoint.number, chain.label(of: end.name))
        guard let head = end.head, head.number >= number else {
            throw AuditEndMissingError(last: end.head?.number ?? 0, checkpoint: number, chain: label)
        }
        guard let hash = end.signed, hash.matches(checkpoint.hash) else {
            throw AuditRewrittenError(number: number, chain: label)
        }
    }

    /// Signs a checkpoint of the node's own empty chain, and then writes that chain's first row, which counts it.
    ///
    /// The checkpoint is durable before the row, so a crash between the two does not look like deleted rows. Later, the
    /// first row proves that the checkpoint existed.
    private func signEmptyChain() async throws {
        let isEmpty = try await unitOfWork.run { [chain] transaction in
            try chain.store.chains(of: chain.node, in: transaction).isEmpty
        }
        guard isEmpty else { return }
        let lines = try log.lines()
        guard lines.count < 2 else { return }
        if let line = lines.first {
            // A crash came after this line and before the first row.
            guard signing.read(line)?.isOfEmptyChain == true else { return }
        } else {
            try log.append(try signing.sign(AuditCheckpoint(emptyChainOf: chain.node, at: environment.now())))
        }
        let now = environment.now()
        try await unitOfWork.run { [chain] transaction in
            guard try chain.store.head(of: chain.node, in: transaction) == nil else { return }
            try chain.append(AuditSigning.beginning(of: chain.node, at: now), to: chain.node, in: transaction)
        }
    }

    /// Records in every chain that the earlier checkpoints are lost, and makes new first ones.
    ///
    /// - Throws: ``AuditCheckpointsPresentError`` while the log has lines, and the errors of ``write()``.
    package func beginAgain() async throws -> [CheckpointLine] {
        let count = try log.lines().count
        guard count == 0 else { throw AuditCheckpointsPresentError(count: count) }
        let now = environment.now()
        for name in try await chain.names() {
            try await unitOfWork.run { [chain] transaction in
                _ = try chain.append(AuditSigning(count: 0).entry(of: name, at: now), to: name, in: transaction)
            }
        }
        known.withLock { $0 = nil }
        return try await write()
    }

    /// The last checkpoint of any chain that this process read or made.
    package var newestKnown: AuditCheckpoint? {
        known.withLock { $0?.newest.values.map(\.checkpoint).max { $0.at < $1.at } }
    }

    /// Returns the recorded checkpoints, read again if the log's size has changed since this process last used it.
    private func read() async throws -> KnownCheckpoints {
        let size = try log.size()
        if let known = known.withLock({ $0 }), known.size == size { return known }
        let lines = try log.lines()
        // With a forged last line, the log is not treated as empty: a new checkpoint would hide the lost ones.
        if let last = lines.last, !(signing.read(last).map { chain.owns($0.node) } ?? false) {
            throw AuditCheckpointForgedError(line: lines.count)
        }
        var recorded: [String: CountingRow] = [:]
        for name in try await chain.names() { recorded[name] = try await chain.newestSigning(of: name) }
        var found = KnownCheckpoints(size: size, recorded: recorded)
        try found.findNewest(in: lines, of: chain, signing)
        for (name, line) in found.newest {
            let (number, most) = (line.checkpoint.number, KnownCheckpoints.mostCounting)
            found.take(counting: try await chain.countingRows(of: name, after: number, limit: most), of: name)
        }
        // Another task may have signed meanwhile, which it does under the same lock, and have recorded that in a chain.
        let isCurrent = try known.withLock { [log, found] known in
            guard try log.size() == size else { return false }
            if found.signed <= found.lines { known = found }
            return true
        }
        guard isCurrent else { return try await read() }
        guard found.signed <= found.lines else {
            throw AuditCheckpointsMissingError(signed: found.signed, found: found.lines)
        }
        return found
    }

    /// Signs the ends of the chains that have new rows.
    private func sign(_ ends: [ChainEnd], after before: KnownCheckpoints) throws -> KnownCheckpoints {
        try known.withLock { known in
            // Another task may have made checkpoints of the same chains since `before` was read.
            var latest = known ?? before
            for end in ends {
                guard let head = end.head, latest.isDue(head, of: end.name) else { continue }
                let checkpoint = AuditCheckpoint(
                    node: end.name,
                    number: head.number,
                    hash: head.hash,
                    at: environment.now()
                )
                let line = try signing.sign(checkpoint)
                try log.append(line)
                latest.add(line, of: checkpoint, size: try log.size())
                known = latest
            }
            return latest
        }
    }

    /// Records the number of checkpoints in each chain that has to count them.
    private func record(_ signed: KnownCheckpoints) async throws {
        var due = signed.uncounted
        let now = environment.now()
        while let first = due.first {
            let (name, row) = try await unitOfWork.run { [chain, due, signed] transaction in
                // Nobody else appends to the chain of the unit's own lane at the same time.
                let own = chain.name(ofLane: transaction.lane)
                let name = due.contains(own) ? own : first
                let entry = signed.signing(of: name).entry(of: name, at: now)
                return (name, try chain.append(entry, to: name, in: transaction))
            }
            due.removeAll { $0 == name }
            known.withLock { $0?.add(signed.signing(of: name), at: row, of: name) }
        }
    }
}

/// Where a chain ends.
private struct ChainEnd: Sendable {
    let name: String
    /// `nil` for a chain without rows.
    let head: AuditHead?
    /// The chain's hash at the row of its newest checkpoint, if there is one.
    let signed: Digest256?
}
