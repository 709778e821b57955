/// A signed line of the checkpoint log.
package struct CheckpointLine: Sendable {
    package let text: String
    package let checkpoint: AuditCheckpoint
    /// The line's number, counted from 1.
    let place: Int
}

/// The checkpoints as the log and the chains record them.
struct KnownCheckpoints: Sendable {
    /// The most rows that only count checkpoints and are left without a checkpoint of their own chain.
    ///
    /// Rows after a chain's newest checkpoint are not purged.
    static let mostCounting = 64

    /// The newest checkpoint of each chain.
    private(set) var newest: [String: CheckpointLine] = [:]
    /// The log's number of lines, without those that were signed before a restart.
    private(set) var lines = 0
    /// The log's size in bytes.
    private(set) var size: Int64
    /// Each chain's newest row that counts checkpoints.
    private var recorded: [String: CountingRow] = [:]
    /// How many rows directly after a chain's newest checkpoint only count checkpoints.
    private var counting: [String: Int] = [:]

    /// `recorded`: each chain's newest row that counts checkpoints.
    init(size: Int64, recorded: [String: CountingRow]) {
        self.size = size
        self.recorded = recorded
    }

    /// The number of checkpoints that the chains count.
    var signed: Int { recorded.values.map(\.signing.count).max() ?? 0 }

    /// Finds the newest checkpoint of each chain that a line names, also of one whose rows are all gone.
    ///
    /// Every line is decoded, since the newest line of an idle chain may be far back. Only one signature of each chain
    /// is checked. ``AuditVerifier`` checks all.
    ///
    /// - Throws: ``AuditCheckpointForgedError`` for a line that this server did not sign, or that was put in a later
    ///   one's place, and that may hide a chain's newest one: an earlier checkpoint would vouch for a chain that was
    ///   cut. A forged line of another chain passes if its number fits there.
    mutating func findNewest(
        in all: [String],
        of chain: AuditChain,
        _ signing: any CheckpointSigning
    ) throws(AuditCheckpointForgedError) {
        let texts = signing.counted(all, since: recorded.compactMapValues(\.signing.restart))
        lines = texts.count
        let forged = { (text: String) in AuditCheckpointForgedError(line: (all.lastIndex(of: text) ?? 0) + 1) }
        // The line of each chain that was met last: the next one behind it in the file.
        var later: [String: (checkpoint: AuditCheckpoint, text: String)] = [:]
        for index in texts.indices.reversed() {
            guard let claimed = signing.readUnverified(texts[index]), chain.owns(claimed.node) else {
                throw forged(texts[index])
            }
            if let next = later[claimed.node], claimed.number >= next.checkpoint.number,
                !next.checkpoint.repeats(claimed)
            {
                throw forged(next.text)
            }
            later[claimed.node] = (claimed, texts[index])
            guard newest[claimed.node] == nil else { continue }
            guard let checkpoint = signing.read(texts[index]) else { throw forged(texts[index]) }
            newest[checkpoint.node] = CheckpointLine(text: texts[index], checkpoint: checkpoint, place: index + 1)
        }
    }

    /// Whether the chain has rows after its last checkpoint, besides the ones that count checkpoints.
    func isDue(_ head: AuditHead, of name: String) -> Bool {
        guard let signed = newest[name]?.checkpoint.number else { return true }
        // A chain's first row also only counts a checkpoint, but is signed: otherwise nothing would show that all rows
        // were deleted.
        guard signed > 0 else { return head.number > signed }
        // A single chain counts each of its checkpoints in one row. A second one comes from another process.
        let most = newest.count > 1 ? Self.mostCounting : 1
        return head.number > signed + Int64(min(counting[name] ?? 0, most))
    }

    /// The chains that have to count the newest checkpoints.
    ///
    /// These are the chains that do not count their own newest one yet. If only one chain would count the last one of
    /// all, it could be cut together with that line, so the chain that was signed before it counts it too.
    var uncounted: [String] {
        let due = newest.filter { $0.value.place > recorded[$0.key]?.signing.count ?? 0 }.keys.sorted()
        let last = newest.values.map(\.place).max() ?? 0
        let witnesses = Set(recorded.filter { $0.value.signing.count >= last }.keys).union(due)
        let others = newest.filter { !witnesses.contains($0.key) }
        guard witnesses.count == 1, let further = others.max(by: { $0.value.place < $1.value.place }) else {
            return due
        }
        return due + [further.key]
    }

    /// What a chain's next row that counts checkpoints says.
    func signing(of name: String) -> AuditSigning {
        AuditSigning(count: lines, restart: recorded[name]?.signing.restart)
    }

    /// Takes in how many rows directly after a chain's newest checkpoint only count checkpoints.
    mutating func take(counting rows: Int, of name: String) { counting[name] = rows }

    /// Adds a row that was appended to a chain and counts checkpoints.
    mutating func add(_ signing: AuditSigning, at row: Int64, of name: String) {
        recorded[name] = CountingRow(number: row, signing: signing)
        let before = counting[name] ?? 0
        if let signed = newest[name]?.checkpoint.number, row == signed + Int64(before) + 1 {
            counting[name] = before + 1
        }
    }

    /// Adds a line that was appended to the log, which has `size` bytes since then.
    mutating func add(_ text: String, of checkpoint: AuditCheckpoint, size: Int64) {
        lines += 1
        self.size = size
        newest[checkpoint.node] = CheckpointLine(text: text, checkpoint: checkpoint, place: lines)
        counting[checkpoint.node] = nil
    }
}
