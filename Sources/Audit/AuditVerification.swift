import Kernel

/// The result of verifying a node's chain.
package struct AuditReport: Sendable, Equatable {
    /// The first error found, or `sound`.
    package enum Finding: Equatable, Sendable {
        case sound
        /// The row with this number is missing, or differs from the written one.
        case broken(at: Int64)
        /// The rows are linked, but no row or checkpoint was made with this key. Either this is not the key folder that
        /// they were made with, or an attacker without the key wrote all of them.
        case wrongKey
        /// Rows before this one are missing, and no recorded purge deleted them.
        case startMissing(first: Int64)
        /// A checkpoint is of a later row than the last one: rows were deleted at the end.
        case endMissing(last: Int64, checkpoint: Int64)
        /// The row differs from the one that its checkpoint signed: the chain was rewritten.
        case rewritten(at: Int64)
        /// A line of the checkpoint log was not signed by this server, or is for another node.
        case forgedCheckpoint(line: Int)
        /// A checkpoint is no newer than the previous one: an old one replaced it. A checkpoint of the same row and
        /// hash, signed at another time, is accepted, because two processes can sign the same end. A copy of a line is
        /// refused.
        case replayedCheckpoint(line: Int)
        /// The chain counts more checkpoints than were given: checkpoints were deleted, and maybe rows too.
        case checkpointsMissing(signed: Int, found: Int)
    }

    package let finding: Finding
    /// The number of the first existing row; 0 when there is none.
    package let first: Int64
    /// The number of the last sound row; 0 when there is none.
    package let last: Int64
    /// The number of checkpoints that the chain was compared with.
    package let checkpoints: Int
    package let newestCheckpoint: AuditCheckpoint?

    /// The number of rows that no checkpoint covers yet, so that their deletion would not be noticed.
    ///
    /// Rows that only count checkpoints are left out.
    package let uncovered: Int64
}

/// Verifies a chain with its key and its checkpoints.
package struct AuditVerifier: Sendable {
    private let chain: AuditChain
    private let signing: any CheckpointSigning

    package init(chain: AuditChain, signing: any CheckpointSigning) {
        self.chain = chain
        self.signing = signing
    }

    /// Verifies the whole chain.
    ///
    /// `lines`: The signed checkpoints, oldest first. A copy from another place also reveals an audit that was restored
    /// to an earlier state together with its checkpoints.
    ///
    /// `areAll`: Whether `lines` must have as many checkpoints as the chain counts. A copy may have fewer.
    package func verify(against lines: [String] = [], areAll: Bool = true) async throws -> AuditReport {
        var checkpoints: [AuditCheckpoint] = []
        var fault: AuditReport.Finding?
        for (index, line) in lines.enumerated() where fault == nil {
            if let checkpoint = signing.read(line), checkpoint.node == chain.node {
                switch checkpoints.last {
                case let before? where checkpoint.repeats(before): break
                case let before? where checkpoint.number <= before.number:
                    fault = .replayedCheckpoint(line: index + 1)
                default: checkpoints.append(checkpoint)
                }
            } else {
                fault = .forgedCheckpoint(line: index + 1)
            }
        }
        var walk = AuditWalk(chain, remembering: Set(checkpoints.map(\.number)))
        var broken = try await walk.run()
        // Row hashes and checkpoints use keys derived from the same root key. So a readable checkpoint proves that the
        // key is right and the rows are wrong.
        if broken != nil, walk.first == nil, checkpoints.isEmpty, try await walk.isOfAnotherKey() { broken = .wrongKey }
        let finding =
            broken ?? fault ?? walk.compare(checkpoints) ?? (areAll ? walk.missing(besides: lines.count) : nil)
            ?? .sound
        return AuditReport(
            finding: finding,
            first: walk.first?.number ?? 0,
            last: walk.head.number,
            checkpoints: checkpoints.count { $0.number >= (walk.first?.number ?? 1) - 1 },
            newestCheckpoint: checkpoints.last,
            uncovered: walk.uncovered(behind: checkpoints.last?.number ?? 0)
        )
    }
}

/// One pass over a chain, from its first row to its last.
private struct AuditWalk {
    private static let page = 1000

    private let chain: AuditChain
    private let wanted: Set<Int64>
    /// The last sound row.
    private(set) var head = AuditHead(number: 0, hash: .zero)
    private(set) var first: AuditRow?
    private var hashes: [Int64: Digest256] = [:]
    private var purges: [AuditPurge] = []
    /// The number of checkpoints according to the newest row that counts them.
    private var signed = 0
    /// The numbers of the rows that count checkpoints.
    private var signings: [Int64] = []

    init(_ chain: AuditChain, remembering wanted: Set<Int64>) {
        self.chain = chain
        self.wanted = wanted
    }

    /// Returns the first error in the chain itself; `nil` if it has none.
    mutating func run() async throws -> AuditReport.Finding? {
        // Starts below 1, so that a row inserted before the first is found.
        var next = Int64.min
        while true {
            let rows = try await chain.store.rows(of: chain.node, from: next, limit: Self.page)
            for row in rows { guard take(row) else { return .broken(at: head.number + 1) } }
            guard rows.count == Self.page else { return startFault() }
            next = head.number + 1
        }
    }

    private mutating func take(_ row: AuditRow) -> Bool {
        if first == nil {
            guard row.number >= 1 else { return false }
            // After a purge, the first row's copy of the previous hash is the start. ``startFault()`` checks the purge.
            if row.number > 1 { head = AuditHead(number: row.number - 1, hash: row.previousHash) }
            hashes[head.number] = head.hash
        }
        guard chain.follows(row, head) else { return false }
        first = first ?? row
        head = AuditHead(number: row.number, hash: row.hash)
        if wanted.contains(head.number) { hashes[head.number] = head.hash }
        if let purge = AuditPurge(row.entry) { purges.append(purge) }
        if let signing = AuditSigning(row.entry) {
            signed = signing.count
            signings.append(row.number)
        }
        return true
    }

    /// Whether the rows are linked, but no row's hash was made with the chain's key.
    ///
    /// At least two rows are needed: a single row may have been changed.
    func isOfAnotherKey() async throws -> Bool {
        var count = 0
        var before: AuditRow?
        while true {
            let rows = try await chain.store.rows(of: chain.node, from: (before?.number ?? .min) + 1, limit: Self.page)
            for row in rows {
                let head = AuditHead(number: row.number - 1, hash: row.previousHash)
                if chain.follows(row, head) { return false }
                if let before, row.number != before.number + 1 || !row.previousHash.matches(before.hash) {
                    return false
                }
                before = row
            }
            count += rows.count
            guard rows.count == Self.page else { return count > 1 }
        }
    }

    /// Returns an error unless the last recorded purge accounts for every row missing at the start.
    private func startFault() -> AuditReport.Finding? {
        guard let first, first.number > 1 else { return nil }
        guard let purge = purges.max(by: { $0.number < $1.number }), purge.number >= first.number - 1 else {
            return .startMissing(first: first.number)
        }
        // An interrupted purge leaves some of its rows, so the last row that it names still exists.
        guard let hash = hashes[purge.number] else { return nil }
        return hash.matches(purge.hash) ? nil : .broken(at: first.number)
    }

    /// Returns the number of rows after row `checkpoint`, without those that only count checkpoints.
    func uncovered(behind checkpoint: Int64) -> Int64 {
        let covered = max((first?.number ?? 1) - 1, checkpoint)
        return max(0, head.number - covered - Int64(signings.count { $0 > covered }))
    }

    /// Returns an error if the chain counts more than `found` checkpoints.
    func missing(besides found: Int) -> AuditReport.Finding? {
        signed > found ? .checkpointsMissing(signed: signed, found: found) : nil
    }

    /// Returns the first contradiction between checkpoints and chain; `nil` if there is none.
    func compare(_ checkpoints: [AuditCheckpoint]) -> AuditReport.Finding? {
        let start = (first?.number ?? 1) - 1
        for checkpoint in checkpoints where checkpoint.number >= start && !checkpoint.isOfEmptyChain {
            guard checkpoint.number <= head.number else {
                return .endMissing(last: head.number, checkpoint: checkpoint.number)
            }
            guard hashes[checkpoint.number]?.matches(checkpoint.hash) == true else {
                return .rewritten(at: checkpoint.number)
            }
        }
        return nil
    }
}
