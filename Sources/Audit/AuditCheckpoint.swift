package import Kernel

/// A signed statement, kept outside the database, that a chain ended in this row at this time.
///
/// The chain alone does not show that rows were deleted at its end. A checkpoint of a deleted row shows it.
package struct AuditCheckpoint: Sendable, Equatable {
    /// The name of the chain, which is the node's for lane 0.
    package let node: String
    /// The chain's last row at the time; 0 for a chain without rows.
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

    /// Whether the checkpoint is of a chain without rows, so that it agrees with every chain.
    var isOfEmptyChain: Bool { number == 0 }

    /// Whether this checkpoint has the row and hash of `before` but was signed at another time.
    func repeats(_ before: AuditCheckpoint) -> Bool {
        node == before.node && number == before.number && hash.matches(before.hash) && at != before.at
    }
}

/// Port: signs checkpoints, and reads signed ones.
package protocol CheckpointSigning: Sendable {
    /// Returns the checkpoint as one line of text.
    func sign(_ checkpoint: AuditCheckpoint) throws -> String
    /// Returns the checkpoint in a signed line; `nil` for a line that this server did not sign.
    func read(_ line: String) -> AuditCheckpoint?
    /// Returns what a line says without the time that a check of its signature takes; `nil` for another text.
    func readUnverified(_ line: String) -> AuditCheckpoint?
}

/// The record of a purge: the last row that it deleted, and that row's hash, which the first remaining row repeats.
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

    func entry(of chain: String, at: Instant) -> AuditEntry {
        AuditEntry(
            at: at,
            event: Self.event,
            subject: chain,
            account: nil,
            detail: "\(number) \(Base64URL.encode(hash.bytes))"
        )
    }
}
