package import Kernel

/// Port: this daemon among those that share a database.
///
/// Every property is read from memory.
package protocol NodeMembership: Sendable {
    /// This daemon's name, which can change when another daemon has taken its slot.
    var node: NodeName { get }
    /// Whether other daemons can write to the database, so that the cache does not have every live operation.
    var isShared: Bool { get }
    /// Whether this daemon may follow operations.
    ///
    /// `false` while it can't renew its lease, because another daemon may follow them by now.
    var isLeaseHeld: Bool { get }
    /// The stopped daemons whose operations this one has to follow.
    var adopted: Set<NodeName> { get }
}

/// The membership of the only daemon on a database.
package struct SingleNode: NodeMembership {
    package init() {}

    package var node: NodeName { .first }
    package var isShared: Bool { false }
    package var isLeaseHeld: Bool { true }
    package var adopted: Set<NodeName> { [] }
}
