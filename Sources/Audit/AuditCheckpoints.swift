import Dispatch
package import Kernel
package import Logging
import Synchronization

/// Signs a checkpoint of the end of each chain that has new rows, at each interval and when the daemon stops.
///
/// Of several daemons with one log, the leader does so, for the chains of all. Two may do it at once: what is signed on
/// an earlier state of the log than it has by now is not appended (``CheckpointRaceError``).
package final class AuditCheckpoints: Sendable {
    let chain: AuditChain
    let unitOfWork: any UnitOfWork
    let signing: any CheckpointSigning
    let log: any CheckpointLog
    private let rounds: LeaderRounds
    private let logger: Logger
    /// Runs what waits for the log, one thing at a time, so that nothing in this process signs the same end twice.
    let queue = DispatchQueue(label: "vestibule.audit.checkpoints")
    /// The checkpoints that this process last read or wrote; `nil` until it has read the log.
    ///
    /// Changed only on ``queue``.
    let known = Mutex<KnownCheckpoints?>(nil)

    package init(
        chain: AuditChain,
        unitOfWork: any UnitOfWork,
        signing: any CheckpointSigning,
        log: any CheckpointLog,
        rounds: LeaderRounds,
        logger: Logger
    ) {
        self.chain = chain
        self.unitOfWork = unitOfWork
        self.signing = signing
        self.log = log
        self.rounds = rounds
        self.logger = logger
    }

    /// Makes checkpoints until the task is cancelled, and then one more.
    ///
    /// A daemon that is not the leader makes none, also when it stops: the leader covers its last rows.
    package func run() async {
        await begin()
        await rounds.run { await writeOrWarn() }
        if rounds.isMine { await writeOrWarn() }
    }

    /// Signs a checkpoint of an audit that has no row yet, and logs a warning if that fails.
    ///
    /// The daemon, or a command that runs without it, awaits this before it writes any other row. For an audit with
    /// rows it only looks at the log, so that each daemon notices at its start that a copy has lines which a log in the
    /// database lacks.
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
        } catch let ahead as CheckpointCopyAheadError {
            logger.error(
                "checkpoints are gone from the database, or it is an old or another one: nothing is signed",
                metadata: ["cause": "\(ahead)"]
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
    /// - Returns: The newest checkpoint of each chain in the order of the lanes. There is none while the audit has no
    ///   rows and ``begin()`` has not signed it.
    /// - Throws: ``AuditEndMissingError`` when a chain ends before the row of its last checkpoint.
    ///   ``AuditRewrittenError`` when that row has changed. ``AuditCheckpointForgedError`` when this server did not
    ///   sign a line, or a line was put in another one's place. ``AuditCheckpointsMissingError`` when a chain counts more
    ///   checkpoints than the log has. ``CheckpointRaceError`` when other daemons were first several times in a row.
    package func write() async throws -> [CheckpointLine] {
        for _ in 1..<Self.tries {
            do { return try await writeOnce() } catch is CheckpointRaceError { continue }
        }
        return try await writeOnce()
    }

    /// How often something is tried while other daemons are first.
    static let tries = 3

    private func writeOnce() async throws -> [CheckpointLine] {
        let before = try await read()
        let ends = try await ends(besides: before)
        for end in ends { try check(end, against: before.newest[end.name]?.checkpoint) }
        let after = try await sign(ends, after: before)
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

    /// The last checkpoint of any chain that this process read or made.
    package var newestKnown: AuditCheckpoint? {
        known.withLock { $0?.newest.values.map(\.checkpoint).max { $0.at < $1.at } }
    }

    /// Returns the recorded checkpoints, read again if the log's size has changed since this process last used it.
    private func read() async throws -> KnownCheckpoints {
        let current = try await queue.waiting { [self] in
            let size = try log.size()
            let known = known.withLock(\.self)
            return known?.size == size ? known : nil
        }
        if let current { return current }
        let (size, lines) = try await queue.waiting { [log] in (try log.size(), try log.rememberedLines()) }
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
        // Another task or daemon may have signed meanwhile, and have recorded that in a chain.
        let isCurrent = try await queue.waiting { [self, found] in
            guard try log.size() == size else { return false }
            if found.signed <= found.lines { known.withLock { $0 = found } }
            return true
        }
        guard isCurrent else { return try await read() }
        guard found.signed <= found.lines else {
            throw AuditCheckpointsMissingError(signed: found.signed, found: found.lines)
        }
        return found
    }

    /// Signs the ends of the chains that have new rows.
    private func sign(_ ends: [ChainEnd], after before: KnownCheckpoints) async throws -> KnownCheckpoints {
        try await queue.waiting { [self] in
            // Another task may have made checkpoints of the same chains since `before` was read.
            var latest = known.withLock(\.self) ?? before
            var made: [(line: String, checkpoint: AuditCheckpoint)] = []
            for end in ends {
                guard let head = end.head, latest.isDue(head, of: end.name) else { continue }
                let checkpoint = AuditCheckpoint(
                    node: end.name,
                    number: head.number,
                    hash: head.hash,
                    at: chain.now()
                )
                made.append((try signing.sign(checkpoint), checkpoint))
            }
            guard !made.isEmpty else { return latest }
            // After the log's size as `latest` knows it: what another daemon has signed meanwhile must not be followed by
            // an earlier row of the same chain.
            let size = try log.append(made.map(\.line), after: latest.size)
            for (line, checkpoint) in made { latest.add(line, of: checkpoint, size: size) }
            known.withLock { [latest] in $0 = latest }
            return latest
        }
    }

    /// Records the number of checkpoints in each chain that has to count them.
    private func record(_ signed: KnownCheckpoints) async throws {
        var due = signed.uncounted
        let now = chain.now()
        while let first = due.first {
            let (name, row) = try await unitOfWork.run { [chain, due, signed] transaction in
                // Nobody else appends to the chain of the unit's own lane at the same time.
                let own = chain.name(ofLane: transaction.lane)
                let name = due.contains(own) ? own : first
                let entry = signed.signing(of: name).entry(of: name, at: now)
                return (name, try chain.append(entry, to: name, in: transaction))
            }
            due.removeAll { $0 == name }
            try await queue.waiting { [self] in
                known.withLock { $0?.add(signed.signing(of: name), at: row, of: name) }
            }
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
