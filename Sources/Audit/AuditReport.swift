/// The result of verifying the chains of a node.
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
        /// A line of the checkpoint log was not signed by this server, or is of another node's chain.
        case forgedCheckpoint(line: Int)
        /// A checkpoint is no newer than the previous one of its chain: an old one replaced it.
        ///
        /// A checkpoint of the same row and hash, signed at another time, is accepted, because two processes can sign
        /// the same end. The same line again is refused. In a copy the order says nothing.
        case replayedCheckpoint(line: Int)
        /// A chain counts more checkpoints than were given: checkpoints were deleted, and maybe rows too.
        case checkpointsMissing(signed: Int, found: Int)
    }

    package let finding: Finding
    /// The name of the chain that the finding is about; `nil` for the chain with the node's own name, and for a
    /// finding about the checkpoint log.
    package let chain: String?
    /// The chain with the node's own name.
    package let own: AuditChainReport
    /// The chains of the other lanes, in their order.
    package let lanes: [AuditChainReport]
}

/// The extent of a chain, as far as it is sound.
package struct AuditChainReport: Sendable, Equatable {
    package let name: String
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
