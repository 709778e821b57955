import Dispatch
import Kernel

/// Verifies the chains of a node with their key and their checkpoints.
package struct AuditVerifier: Sendable {
    private let chain: AuditChain
    private let signing: any CheckpointSigning

    package init(chain: AuditChain, signing: any CheckpointSigning) {
        self.chain = chain
        self.signing = signing
    }

    /// Verifies every chain with the lines of the server's own log, while daemons may append to it.
    ///
    /// If this daemon's copy of a log in the database has lines that the log lacks, the chains are compared with the copy
    /// too: an old state of the database, log and rows, contradicts nothing but the copy.
    package func verify(against log: any CheckpointLog) async throws -> AuditReport {
        let lines = try await Self.queue.waiting { try log.lines() }
        let report = try await verify(against: lines) { try await Self.queue.waiting { try log.lines().count } }
        guard report.finding == .sound, let copied = log as? CopiedCheckpointLog,
            let copy = try await Self.queue.waiting(for: { try copied.linesOfCopy(besides: lines) })
        else { return report }
        return try await verify(against: copy)
    }

    private static let queue = DispatchQueue(label: "vestibule.audit.verification", attributes: .concurrent)

    /// Verifies every chain from its first row to its last.
    ///
    /// `lines`: The signed checkpoints, oldest first. A copy from another place also reveals an audit that was restored
    /// to an earlier state together with its checkpoints.
    ///
    /// `count`: Returns the number of lines that the server's own log has now, which must be as many as the chains
    /// count. A running daemon may have added some to `lines`. `nil` for a copy, which may have fewer, in any
    /// order, and a line more than once: `audit checkpoint` prints the newest line of a chain each time.
    package func verify(
        against lines: [String] = [],
        count: (() async throws -> Int)? = nil
    ) async throws -> AuditReport {
        let signed = SignedLines(lines, of: chain, signing, areCopy: count == nil)
        let own = try await walk(chain.node, signed)
        var lanes: [AuditWalk] = []
        // A chain whose rows are all gone is named by its checkpoints.
        for name in try await chain.names(and: Array(signed.checkpoints.keys)) where name != chain.node {
            lanes.append(try await walk(name, signed))
        }
        let walks = [own] + lanes
        var fault = Self.fault(of: walks, signed)
        if fault == nil, let count, let missing = try await missing(lines, count, walks) { fault = (missing, nil) }
        // Row hashes and checkpoints use keys derived from the same root key. So a readable checkpoint or a sound first
        // row proves that the key is right and the rows are wrong.
        if own.broken != nil || !lanes.allSatisfy({ $0.broken == nil }), signed.checkpoints.isEmpty,
            walks.allSatisfy({ $0.first == nil }), try await areOfAnotherKey(walks)
        {
            fault = (.wrongKey, nil)
        }
        return AuditReport(
            finding: fault?.finding ?? .sound,
            chain: fault?.chain.flatMap(chain.label),
            own: own.report,
            lanes: lanes.map(\.report)
        )
    }

    private func walk(_ name: String, _ signed: SignedLines) async throws -> AuditWalk {
        var walk = AuditWalk(chain, name, checkpoints: signed.checkpoints[name] ?? [])
        try await walk.run()
        return walk
    }

    /// Returns an error if the chains count more checkpoints than there are.
    private func missing(
        _ lines: [String],
        _ count: () async throws -> Int,
        _ walks: [AuditWalk]
    ) async throws -> AuditReport.Finding? {
        let restarts = walks.compactMap { walk in walk.restart.map { (walk.name, $0) } }
        let counted = signing.counted(lines, since: Dictionary(uniqueKeysWithValues: restarts)).count
        guard let signed = walks.map(\.signed).max(), signed > counted else { return nil }
        // Lines that were added since then are newer than any restart.
        let found = try await count() - (lines.count - counted)
        return signed > found ? .checkpointsMissing(signed: signed, found: found) : nil
    }

    /// Returns the first error, and the name of its chain: a row before a forged line, that before a contradiction, and
    /// a replayed line last.
    ///
    /// A chain that was deleted and began again has both of the last two. The contradiction names the chain.
    private static func fault(
        of walks: [AuditWalk],
        _ signed: SignedLines
    ) -> (finding: AuditReport.Finding, chain: String?)? {
        for walk in walks { if let broken = walk.broken { return (broken, walk.name) } }
        if let fault = signed.fault, case .forgedCheckpoint = fault { return (fault, nil) }
        for walk in walks { if let contradiction = walk.contradiction { return (contradiction, walk.name) } }
        return signed.fault.map { ($0, nil) }
    }

    /// Whether the rows are linked, but no row's hash was made with the audit's key.
    ///
    /// A chain of a single row says nothing, because that row may have been changed.
    private func areOfAnotherKey(_ walks: [AuditWalk]) async throws -> Bool {
        var isLinked = false
        for walk in walks {
            switch try await walk.linkage() {
            case .none: break
            case .foreign: isLinked = true
            case .broken: return false
            }
        }
        return isLinked
    }
}

/// The checkpoints in the lines of a log, by chain.
private struct SignedLines {
    private(set) var checkpoints: [String: [AuditCheckpoint]] = [:]
    /// The first wrong line, after which no line is read.
    private(set) var fault: AuditReport.Finding?

    /// `areCopy`: Whether a line that was there before says nothing.
    ///
    /// In the server's own log it is a fault, since it could fill the place of a deleted one. A copy may be put together
    /// from the files of several daemons, so that the order of its lines says nothing either.
    init(_ lines: [String], of chain: AuditChain, _ signing: any CheckpointSigning, areCopy: Bool) {
        var seen: Set<String> = []
        for (index, line) in lines.enumerated() where fault == nil {
            if areCopy, !seen.insert(line).inserted { continue }
            guard let checkpoint = signing.read(line), chain.owns(checkpoint.node) else {
                fault = .forgedCheckpoint(line: index + 1)
                continue
            }
            guard !areCopy else {
                checkpoints[checkpoint.node, default: []].append(checkpoint)
                continue
            }
            switch checkpoints[checkpoint.node]?.last {
            case let before? where checkpoint.repeats(before): break
            case let before? where checkpoint.number <= before.number:
                fault = .replayedCheckpoint(line: index + 1)
            default: checkpoints[checkpoint.node, default: []].append(checkpoint)
            }
        }
        if areCopy { checkpoints = checkpoints.mapValues(Self.sorted) }
    }

    /// Returns a chain's checkpoints by row, each once however often it was signed.
    private static func sorted(_ checkpoints: [AuditCheckpoint]) -> [AuditCheckpoint] {
        checkpoints.sorted { $0.number < $1.number }.reduce(into: []) { sorted, checkpoint in
            if let last = sorted.last, checkpoint.repeats(last) { return }
            sorted.append(checkpoint)
        }
    }
}
