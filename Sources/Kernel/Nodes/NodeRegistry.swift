/// Port: the list of the daemons that share a database, for operators.
package protocol NodeRegistry: Sendable {
    /// Returns all daemons that the database remembers, stopped ones included, in the order of their names' slots.
    ///
    /// - Throws: ``StoreError``.
    func list() async throws -> [NodeRecord]

    /// Sets whether a daemon should leave its load balancer, until it is started again.
    ///
    /// The daemon reads it when it next renews its lease, within about a second.
    ///
    /// - Parameters:
    ///   - isDraining: Whether it should leave.
    ///   - name: The daemon.
    ///   - isLastAllowed: Whether it may leave although no other daemon would serve.
    ///   - transaction: The unit of work, which records the change too.
    /// - Returns: Whether that is a change.
    /// - Throws: ``NodeError``, ``StoreError``.
    func setDraining(
        _ isDraining: Bool,
        of name: NodeName,
        isLastAllowed: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool
}

/// A daemon among those that share a database, by the clock of the database's server.
package struct NodeRecord: Sendable, Equatable {
    package let name: NodeName
    package let description: NodeDescription
    package let startedAt: Instant
    /// Since when it accepts requests; `nil` before.
    package let servingSince: Instant?
    package let lease: NodeLease
    /// The daemon that follows its operations; `nil` if it does so itself, or nobody does yet.
    package let adopter: NodeName?
    /// Whether an operator wants it to leave its load balancer.
    package let isDraining: Bool
    /// The number of live operations whose newest version has its name; `nil` if nobody counts them.
    package let liveOperations: Int?

    package init(
        name: NodeName,
        description: NodeDescription,
        startedAt: Instant,
        servingSince: Instant?,
        lease: NodeLease,
        adopter: NodeName?,
        isDraining: Bool,
        liveOperations: Int?
    ) {
        self.name = name
        self.description = description
        self.startedAt = startedAt
        self.servingSince = servingSince
        self.lease = lease
        self.adopter = adopter
        self.isDraining = isDraining
        self.liveOperations = liveOperations
    }

    /// Whether its lease is held, so that it follows its operations itself.
    package var isLive: Bool { lease.isHeld && adopter == nil }

    /// Whether a load balancer has reason to send it requests.
    package var isServing: Bool { isLive && servingSince != nil && !isDraining }
}

/// The lease of a daemon, in relation to the moment at which it was read.
package enum NodeLease: Sendable, Equatable {
    /// It needs none, because no other daemon can be running.
    case unlimited
    /// It ends after that time, unless it is renewed.
    case held(for: Duration)
    /// It was not renewed, and ended that time ago.
    case over(since: Duration)
    /// The daemon stopped in order, and ended it.
    case ended

    package var isHeld: Bool {
        switch self {
        case .unlimited, .held: true
        case .over, .ended: false
        }
    }
}

extension [NodeRecord] {
    /// The daemon that does what only one of them needs to do: the lowest slot whose lease is held.
    package var leader: NodeName? { filter(\.isLive).min { $0.name.slot < $1.name.slot }?.name }

    /// Checks whether a daemon may leave its load balancer, or come back to it.
    ///
    /// - Throws: ``NodeError`` for a daemon that does not run, and for the last one that serves.
    package func checkDraining(
        _ isDraining: Bool,
        of name: NodeName,
        isLastAllowed: Bool
    ) throws(NodeError) {
        guard let node = first(where: { $0.name == name }) else { throw .notFound }
        guard node.isLive else { throw .stopped }
        guard isDraining, !node.isDraining, !isLastAllowed else { return }
        guard contains(where: { $0.name != name && $0.isServing }) else { throw .last }
    }
}

/// The refusal to change a daemon.
package enum NodeError: Error, Sendable, Equatable {
    /// No daemon of the database has that name.
    case notFound
    /// The daemon does not run, or can't renew its lease.
    case stopped
    /// No other daemon serves.
    case last
}
