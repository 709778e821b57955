import Kernel

/// The result of a check of a node's chain.
package struct AuditReport: Sendable, Equatable {
    /// The first fault found, or `sound`.
    package enum Finding: Equatable, Sendable {
        case sound
        /// The row with this number is missing, or differs from the written one.
        case broken(at: Int64)
        /// Neither a row nor a checkpoint is of this key, and yet the rows are linked. Either the key folder is not the
        /// one that they were written with, or somebody without the key wrote all of them.
        case wrongKey
        /// Rows before this one are missing, and no recorded purge deleted them.
        case startMissing(first: Int64)
        /// A checkpoint is of a later row than the last one: rows were cut off at the end.
        case endMissing(last: Int64, checkpoint: Int64)
        /// The row differs from the one that its checkpoint signed: the chain was rewritten.
        case rewritten(at: Int64)
        /// A line of the checkpoints that this server did not sign, or for another node.
        case forgedCheckpoint(line: Int)
        /// A checkpoint that is no newer than the previous one: an old one replaced it.
        ///
        /// A checkpoint of the same row and hash, signed at another time, is accepted: two processes that ended
        /// together both made one. A copy of a line is refused.
        case replayedCheckpoint(line: Int)
        /// The chain records more checkpoints than there are: they were deleted, and maybe rows with them.
        case checkpointsMissing(signed: Int, found: Int)
    }

    package let finding: Finding
    /// The first row that is there; 0 when there is none.
    package let first: Int64
    /// The last row that was found sound; 0 when there is none.
    package let last: Int64
    /// How many checkpoints the chain was held against.
    package let checkpoints: Int
    package let newestCheckpoint: AuditCheckpoint?

    /// Rows that no checkpoint covers yet: if they were cut off, nothing would show it.
    ///
    /// Without those that say of a checkpoint itself that it was made.
    package let uncovered: Int64
}

/// Holds a chain against its key and its checkpoints.
package struct AuditVerifier: Sendable {
    private let chain: AuditChain
    private let signing: any CheckpointSigning

    package init(chain: AuditChain, signing: any CheckpointSigning) {
        self.chain = chain
        self.signing = signing
    }

    /// Walks the whole chain.
    ///
    /// `lines`: The checkpoints, the oldest first. Those of a copy that was kept elsewhere also show an audit that was
    /// restored, with its own checkpoints, to an earlier state.
    ///
    /// `areAll`: Whether there should be as many as the chain records; a copy may be behind.
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
        // A checkpoint that opens is signed with the same root: then the key is right, and the rows are not.
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

/// One walk along a chain, from its first row to its last.
private struct AuditWalk {
    private static let page = 1000

    private let chain: AuditChain
    private let wanted: Set<Int64>
    /// The last row that fitted.
    private(set) var head = AuditHead(number: 0, hash: .zero)
    private(set) var first: AuditRow?
    private var hashes: [Int64: Digest256] = [:]
    private var purges: [AuditPurge] = []
    /// How many checkpoints are signed by the newest row that says so.
    private var signed = 0
    /// The rows that say so.
    private var signings: [Int64] = []

    init(_ chain: AuditChain, remembering wanted: Set<Int64>) {
        self.chain = chain
        self.wanted = wanted
    }

    /// Returns what is wrong with the chain by itself; `nil` if nothing is.
    mutating func run() async throws -> AuditReport.Finding? {
        // Not from 1: a row slipped in before the first must show as well.
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
            // Behind a purge the chain begins with what its first row says of the one before; the purge is asked later.
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

    /// Returns whether every row is linked to the one before it and not one, taken by itself, is of the chain's key.
    ///
    /// One row alone says nothing: it may as well have been changed.
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

    /// The last recorded purge must account for every missing row.
    private func startFault() -> AuditReport.Finding? {
        guard let first, first.number > 1 else { return nil }
        guard let purge = purges.max(by: { $0.number < $1.number }), purge.number >= first.number - 1 else {
            return .startMissing(first: first.number)
        }
        // A purge that was cut short has left some of its rows: then the row it names is one of the chain.
        guard let hash = hashes[purge.number] else { return nil }
        return hash.matches(purge.hash) ? nil : .broken(at: first.number)
    }

    /// Returns the number of rows after that checkpoint, without those that only record a checkpoint.
    func uncovered(behind checkpoint: Int64) -> Int64 {
        let covered = max((first?.number ?? 1) - 1, checkpoint)
        return max(0, head.number - covered - Int64(signings.count { $0 > covered }))
    }

    /// Returns what the chain says against so many checkpoints; `nil` if nothing.
    func missing(besides found: Int) -> AuditReport.Finding? {
        signed > found ? .checkpointsMissing(signed: signed, found: found) : nil
    }

    /// Returns what the checkpoints say against the chain; `nil` if nothing.
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
