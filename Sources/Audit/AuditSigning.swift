import Kernel

/// A row of the chain that records the number of signed checkpoints.
///
/// The chain shows missing checkpoints, as the checkpoints show missing rows. An attacker who deletes rows therefore
/// has to restore an earlier state of both. RFC 6962 §1 and Crosby & Wallach (2009) describe the attack. The row is
/// written after the checkpoint is durable, so that the chain never counts a checkpoint that does not exist.
///
/// Each chain that was signed has such a row, and each counts the checkpoints of all chains. At least two of several
/// chains count each checkpoint. So one chain can't be deleted or cut together with its own checkpoints: the rows of
/// the others count them.
struct AuditSigning: Equatable {
    /// The event of a row that counts a newly signed checkpoint.
    static let event = ChainAuditEvent.checkpointSigned.rawValue
    /// The event of a row after which checkpoints are counted from zero, because an operator declared the earlier ones
    /// lost.
    static let restartEvent = ChainAuditEvent.checkpointsRestarted.rawValue

    /// The event of a chain's first row, which counts the checkpoint of the empty chain.
    private static let beginningEvent = ChainAuditEvent.checkpointsBegun.rawValue

    /// The events of all rows that count checkpoints.
    static let events = [event, restartEvent, beginningEvent]

    /// The number of lines in the checkpoint log, over all chains, without those that were signed before a restart.
    let count: Int
    /// The row after which the chain's checkpoints were last counted from zero again; `nil` if the row names none.
    ///
    /// Each row that counts repeats it, since the restart's own row is purged some day. Single chains of earlier versions
    /// did not.
    let restart: Int64?

    init(count: Int, restart: Int64? = nil) {
        self.count = count
        self.restart = restart
    }

    /// Returns `nil` for a row that does not count checkpoints.
    init?(_ row: AuditRow) {
        let entry = row.entry
        switch entry.event {
        case Self.restartEvent: self.init(count: 0, restart: row.number)
        // Before 0.1.0, this row was written before its checkpoint and had no detail.
        case Self.beginningEvent: self.init(count: entry.detail == nil ? 0 : 1)
        case Self.event:
            let parts = (entry.detail ?? "").split(separator: " ")
            let numbers = parts.compactMap { Int64($0) }
            guard 1...2 ~= parts.count, numbers.count == parts.count, let count = Int(exactly: numbers[0]), count > 0
            else { return nil }
            self.init(count: count, restart: numbers.count > 1 ? numbers[1] : nil)
        default: return nil
        }
    }

    /// Returns the first row of a node's own chain.
    static func beginning(of chain: String, at: Instant) -> AuditEntry {
        AuditEntry(at: at, event: beginningEvent, subject: chain, account: nil, detail: "1")
    }

    func entry(of chain: String, at: Instant) -> AuditEntry {
        guard count > 0 else {
            return AuditEntry(at: at, event: Self.restartEvent, subject: chain, account: nil, detail: nil)
        }
        let detail = restart.map { "\(count) \($0)" } ?? "\(count)"
        return AuditEntry(at: at, event: Self.event, subject: chain, account: nil, detail: detail)
    }
}

extension AuditChain {
    /// Returns a chain's newest row that counts checkpoints; `nil` for none.
    ///
    /// - Throws: ``AuditRewrittenError`` for a row that was not made with the chain's key.
    func newestSigning(of name: String) async throws -> CountingRow? {
        guard let row = try await store.newest(of: name, events: AuditSigning.events),
            let signing = AuditSigning(row)
        else {
            return nil
        }
        guard follows(row, AuditHead(number: row.number - 1, hash: row.previousHash)) else {
            throw AuditRewrittenError(number: row.number, chain: label(of: name))
        }
        return CountingRow(number: row.number, signing: signing)
    }

    /// Returns how many of the rows directly after a row only count checkpoints, `limit` at most.
    func countingRows(of name: String, after number: Int64, limit: Int) async throws -> Int {
        let rows = try await store.rows(of: name, from: number + 1, limit: limit)
        return rows.prefix { AuditSigning($0) != nil }.count
    }
}

/// A row of a chain that counts checkpoints.
struct CountingRow: Sendable {
    let number: Int64
    let signing: AuditSigning
}

extension CheckpointSigning {
    /// Returns the lines of a log that chains count: all but those of rows before the chain's restart.
    ///
    /// The old lines are still signed, and fit the chain. If they counted, one could stand in the place of another
    /// chain's deleted line.
    ///
    /// `restarts`: the row of each chain after which its checkpoints were last counted from zero again.
    func counted(_ lines: [String], since restarts: [String: Int64]) -> [String] {
        guard !restarts.isEmpty else { return lines }
        return lines.filter { line in
            guard let checkpoint = readUnverified(line), let restart = restarts[checkpoint.node] else { return true }
            return checkpoint.number >= restart
        }
    }
}
