import Kernel

/// One pass over a chain, from its first row to its last.
struct AuditWalk {
    private static let page = 1000

    let name: String
    private let chain: AuditChain
    private let checkpoints: [AuditCheckpoint]
    /// The numbers of the rows that checkpoints are of.
    private let wanted: Set<Int64>
    /// The first error in the chain itself.
    private(set) var broken: AuditReport.Finding?
    /// The last sound row.
    private(set) var head = AuditHead(number: 0, hash: .zero)
    private(set) var first: AuditRow?
    private var found = AuditEvidence()

    init(_ chain: AuditChain, _ name: String, checkpoints: [AuditCheckpoint]) {
        self.chain = chain
        self.name = name
        self.checkpoints = checkpoints
        wanted = Set(checkpoints.map(\.number))
    }

    /// The number of checkpoints according to the newest row that counts them.
    var signed: Int { found.signed }

    /// The row after which the checkpoints were last counted from zero again, if the newest row that counts names one.
    var restart: Int64? { found.restart }

    /// Walks to the chain's end or to the first error, which is ``broken``.
    mutating func run() async throws { broken = try await firstFault() }

    private mutating func firstFault() async throws -> AuditReport.Finding? {
        // Starts below 1, so that a row inserted before the first is found.
        var next = Int64.min
        while true {
            let rows = try await chain.store.rows(of: name, from: next, limit: Self.page)
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
            found.hashes[head.number] = head.hash
        }
        guard chain.follows(row, head) else { return false }
        first = first ?? row
        head = AuditHead(number: row.number, hash: row.hash)
        if wanted.contains(head.number) { found.hashes[head.number] = head.hash }
        found.take(row)
        return true
    }

    /// How the rows of a chain without a sound first row are linked.
    enum Linkage {
        /// There are less than two rows.
        case none
        /// Each row has the hash of the one before, and no hash was made with the audit's key.
        case foreign
        /// A row is not linked, or a hash was made with the audit's key.
        case broken
    }

    func linkage() async throws -> Linkage {
        var count = 0
        var before: AuditRow?
        while true {
            let rows = try await chain.store.rows(of: name, from: (before?.number ?? .min) + 1, limit: Self.page)
            for row in rows {
                let head = AuditHead(number: row.number - 1, hash: row.previousHash)
                if chain.follows(row, head) { return .broken }
                if let before, row.number != before.number + 1 || !row.previousHash.matches(before.hash) {
                    return .broken
                }
                before = row
            }
            count += rows.count
            guard rows.count == Self.page else { return count > 1 ? .foreign : .none }
        }
    }

    /// Returns an error unless the last recorded purge accounts for every row missing at the start.
    private func startFault() -> AuditReport.Finding? {
        guard let first, first.number > 1 else { return nil }
        guard let purge = found.purges.max(by: { $0.number < $1.number }), purge.number >= first.number - 1 else {
            return .startMissing(first: first.number)
        }
        // An interrupted purge leaves some of its rows, so the last row that it names still exists.
        guard let hash = found.hashes[purge.number] else { return nil }
        return hash.matches(purge.hash) ? nil : .broken(at: first.number)
    }

    /// The first contradiction between checkpoints and chain.
    var contradiction: AuditReport.Finding? {
        let start = (first?.number ?? 1) - 1
        for checkpoint in checkpoints where checkpoint.number >= start && !checkpoint.isOfEmptyChain {
            guard checkpoint.number <= head.number else {
                return .endMissing(last: head.number, checkpoint: checkpoint.number)
            }
            guard found.hashes[checkpoint.number]?.matches(checkpoint.hash) == true else {
                return .rewritten(at: checkpoint.number)
            }
        }
        return nil
    }

    var report: AuditChainReport {
        let start = (first?.number ?? 1) - 1
        let covered = max(start, checkpoints.last?.number ?? 0)
        return AuditChainReport(
            name: name,
            first: first?.number ?? 0,
            last: head.number,
            checkpoints: checkpoints.count { $0.number >= start },
            newestCheckpoint: checkpoints.last,
            uncovered: max(0, head.number - covered - Int64(found.signings.count { $0 > covered }))
        )
    }
}

/// What the rows of a chain say of rows and checkpoints.
private struct AuditEvidence {
    /// The chain's hashes at its start and at the rows of checkpoints.
    var hashes: [Int64: Digest256] = [:]
    private(set) var purges: [AuditPurge] = []
    private(set) var signed = 0
    private(set) var restart: Int64?
    /// The numbers of the rows that count checkpoints.
    private(set) var signings: [Int64] = []

    mutating func take(_ row: AuditRow) {
        if let purge = AuditPurge(row.entry) { purges.append(purge) }
        if let signing = AuditSigning(row) {
            signed = signing.count
            restart = signing.restart
            signings.append(row.number)
        }
    }
}
