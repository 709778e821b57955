/// A signed line of the checkpoint log.
package struct CheckpointLine: Sendable {
    package let text: String
    package let checkpoint: AuditCheckpoint
    /// The line's number, counted from 1.
    let place: Int
}

/// The checkpoints as the log and the chains record them.
struct KnownCheckpoints: Sendable {
    /// The newest checkpoint of each chain.
    private(set) var newest: [String: CheckpointLine] = [:]
    /// The log's number of lines.
    private(set) var lines: Int
    /// The log's size in bytes.
    private(set) var size: Int64
    /// Each chain's newest row that counts checkpoints, and its count.
    var recorded: [String: (row: Int64, count: Int)] = [:]

    init(lines: Int, size: Int64) {
        self.lines = lines
        self.size = size
    }

    /// Finds the newest checkpoint of each chain that a line names, also of one whose rows are all gone.
    ///
    /// Every line is decoded, since the newest line of an idle chain may be far back. Only one signature of each chain
    /// is checked, except after a forged line. ``AuditVerifier`` checks all.
    mutating func findNewest(in texts: [String], of chain: AuditChain, _ signing: any CheckpointSigning) {
        for index in texts.indices.reversed() {
            guard let claimed = signing.readUnverified(texts[index]), chain.owns(claimed.node),
                newest[claimed.node] == nil, let checkpoint = signing.read(texts[index])
            else { continue }
            newest[checkpoint.node] = CheckpointLine(text: texts[index], checkpoint: checkpoint, place: index + 1)
        }
    }

    /// Whether the chain has rows after its last checkpoint, besides the row that counts that checkpoint.
    func isDue(_ head: AuditHead, of name: String) -> Bool {
        guard let signed = newest[name]?.checkpoint.number else { return true }
        // A chain's first row also only counts a checkpoint, but is signed: otherwise nothing would show that all rows
        // were deleted.
        let isOwnRow = signed > 0 && head.number == signed + 1 && recorded[name]?.row == head.number
        return head.number > signed && !isOwnRow
    }

    /// The chains that do not count their newest checkpoint yet.
    var uncounted: [String] {
        newest.filter { $0.value.place > recorded[$0.key]?.count ?? 0 }.keys.sorted()
    }

    /// Adds a line that was appended to the log, which has `size` bytes since then.
    mutating func add(_ text: String, of checkpoint: AuditCheckpoint, size: Int64) {
        lines += 1
        self.size = size
        newest[checkpoint.node] = CheckpointLine(text: text, checkpoint: checkpoint, place: lines)
    }
}
