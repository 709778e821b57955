package import Kernel

/// A statement, signed and kept outside the database, that a node's chain ended in that row at that time.
///
/// The chain alone does not show that rows were cut off at its end; a checkpoint of a later row does.
package struct AuditCheckpoint: Sendable, Equatable {
    package let node: String
    /// The row that the chain ended in; 0 for a chain without rows.
    package let number: Int64
    package let hash: Digest256
    package let at: Instant

    package init(node: String, number: Int64, hash: Digest256, at: Instant) {
        self.node = node
        self.number = number
        self.hash = hash
        self.at = at
    }

    /// The checkpoint of a chain that has no row yet.
    init(emptyChainOf node: String, at: Instant) { self.init(node: node, number: 0, hash: .zero, at: at) }

    /// Whether it says that there was no row: such a checkpoint holds against every chain.
    var isOfEmptyChain: Bool { number == 0 }

    /// Returns whether it was signed by itself, and says of the same row what `before` says.
    func repeats(_ before: AuditCheckpoint) -> Bool {
        node == before.node && number == before.number && hash.matches(before.hash) && at != before.at
    }
}

/// Port: signs checkpoints, and reads them.
package protocol CheckpointSigning: Sendable {
    /// Returns the checkpoint as one line of text.
    func sign(_ checkpoint: AuditCheckpoint) throws -> String
    /// Returns what a line says; `nil` for one that we did not sign.
    func read(_ line: String) -> AuditCheckpoint?
}

/// Port: where checkpoints are kept, in the order in which they were made.
package protocol CheckpointLog: Sendable {
    /// Returns every line that was written whole.
    func lines() throws -> [String]
    /// Durable when it returns.
    func append(_ line: String) throws
    /// Returns how many bytes there are: 0 for none, or for a log that is not there.
    func size() throws -> Int64
}

/// The record of a purge: the last row that it deleted, and that row's hash, which the first remaining row names.
struct AuditPurge: Equatable {
    static let event = ChainAuditEvent.purged.rawValue

    let number: Int64
    let hash: Digest256

    init(number: Int64, hash: Digest256) {
        self.number = number
        self.hash = hash
    }

    /// Returns `nil` for a row that records no purge.
    init?(_ entry: AuditEntry) {
        guard entry.event == Self.event, let detail = entry.detail else { return nil }
        let parts = detail.split(separator: " ")
        guard parts.count == 2, let number = Int64(parts[0]), number > 0,
            let hash = Base64URL.decode(parts[1]).flatMap({ Digest256($0) })
        else { return nil }
        self.init(number: number, hash: hash)
    }

    func entry(node: String, at: Instant) -> AuditEntry {
        AuditEntry(
            at: at,
            event: Self.event,
            subject: node,
            account: nil,
            detail: "\(number) \(Base64URL.encode(hash.bytes))"
        )
    }
}
