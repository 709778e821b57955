import Kernel

/// Which operations this daemon follows: those whose newest version it wrote, and those of daemons that it has taken
/// over.
///
/// Any daemon may write any operation for a client or a browser. Only one asks the provider about it. If two do for a
/// moment, nothing is wrong: each transition is a compare-and-swap.
struct Ownership: Sendable {
    let nodes: any NodeMembership
    /// This daemon's name at its start, whose operations the start reads.
    let firstName: NodeName

    init(nodes: any NodeMembership) {
        self.nodes = nodes
        firstName = nodes.node
    }

    /// Whether this daemon follows the operation.
    func includes(_ operation: Operation) -> Bool {
        guard nodes.isShared else { return true }
        let writer = operation.version.writer
        return writer == nodes.node || nodes.adopted.contains(writer)
    }

    /// The daemons whose operations this one follows.
    var followed: Set<NodeName> { nodes.adopted.union([nodes.node]) }
}
