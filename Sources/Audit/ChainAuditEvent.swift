import Kernel

/// The audit events of a chain itself; the subject is the chain, whose name is the node's or begins with it.
enum ChainAuditEvent: String, AuditEvent {
    /// The first row of a node's own chain, which counts the checkpoint that was signed before there was any row.
    ///
    /// Detail: `1`.
    case checkpointsBegun = "audit.checkpoints_begun"
    /// A checkpoint was signed.
    ///
    /// Detail: How many checkpoints there are, over all chains. One of several chains whose checkpoints were begun anew
    /// adds the number of the row that records it.
    case checkpointSigned = "audit.checkpoint_signed"
    /// An operator declared the earlier checkpoints lost: they are counted from zero again.
    case checkpointsRestarted = "audit.checkpoints_begun_anew"
    /// Old rows were deleted, up to a checkpoint.
    ///
    /// Detail: The number of the last deleted row, and its hash in base64url.
    case purged = "audit.purged"
}
