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
    /// The daemons that share the database now, as of the last renewal.
    var peers: Peers { get }
}

/// What a daemon knows of all daemons that share its database.
package struct Peers: Sendable, Equatable {
    /// The number of daemons whose leases are held, this one included.
    package var count: Int
    /// The number of those that a load balancer sends requests to, at least 1.
    package var serving: Int
    /// Whether this daemon does what only one of the daemons needs to do.
    ///
    /// Two may think so for a moment, so that such work has to be right if it is done twice.
    package var isLeader: Bool
    /// The names of the keys with which the daemons encrypt rows, also those that may only stand still; one name if all
    /// agree.
    package var encryptionKeys: Set<String>
    /// Since when at least one of the daemons accepts requests; `nil` if none does yet.
    package var servingSince: Instant?
    /// Whether an operator wants this daemon to leave its load balancer.
    package var isDraining: Bool
    /// Whether daemons that joined earlier exchange messages in another way, so that they don't hear this one, and it
    /// doesn't hear them.
    package var isUnheard: Bool

    package init(
        count: Int = 1,
        serving: Int? = nil,
        isLeader: Bool = true,
        encryptionKeys: Set<String> = [],
        servingSince: Instant? = nil,
        isDraining: Bool = false,
        isUnheard: Bool = false
    ) {
        self.count = count
        self.serving = serving ?? count
        self.isLeader = isLeader
        self.encryptionKeys = encryptionKeys
        self.servingSince = servingSince
        self.isDraining = isDraining
        self.isUnheard = isUnheard
    }
}

/// A process that follows no operations and has no name, beside daemons that share its database.
package struct GuestNode: NodeMembership {
    package init() {}

    /// The name under which it writes: of operations, it writes only ends.
    package var node: NodeName { .first }
    package var isShared: Bool { true }
    package var isLeaseHeld: Bool { false }
    package var adopted: Set<NodeName> { [] }
    package var peers: Peers { Peers(isLeader: false) }
}

/// The membership of the only daemon on a database.
package struct SingleNode: NodeMembership {
    package init() {}

    package var node: NodeName { .first }
    package var isShared: Bool { false }
    package var isLeaseHeld: Bool { true }
    package var adopted: Set<NodeName> { [] }
    package var peers: Peers { Peers() }
}
