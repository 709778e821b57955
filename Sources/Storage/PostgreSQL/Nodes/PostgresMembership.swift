package import Kernel
import Operations
import Synchronization

/// This daemon among those that share a PostgreSQL database: its name, its lease, and the operations of others that it
/// has taken over.
///
/// It renews the lease each second, on a connection of its own. The lease counts from the moment at which the renewal
/// was sent, so that a slow answer makes it shorter and never longer than the server's.
///
/// Unchecked, because what changes is used only on ``queue``, which runs one block at a time, or is a ``Mutex``.
package final class PostgresMembership: @unchecked Sendable {
    /// A change of the membership, for the log.
    package enum Event: Sendable, Equatable {
        /// The lease can't be renewed: other daemons follow this one's operations soon.
        case leaseLost(cause: String)
        case leaseHeld
        /// Another daemon has the name or the operations, and this one has another name now.
        case renamed(NodeName)
        /// The operations of a stopped daemon are followed here from now on.
        case adopted(NodeName)
        /// None of a stopped daemon's operations is left.
        case released(NodeName)
        /// What stopped daemons have left can't be taken over at the moment.
        case takeoverFailed(cause: String)
        /// Daemons that joined earlier tell each other of changes in another way (``Peers/isUnheard``).
        case unheard
    }

    /// For so long after a renewal was sent, this daemon follows operations.
    ///
    /// It is shorter than the server's lease, for clocks that run at different speeds.
    private static let hold: Duration = .seconds(2)
    /// The pause between two renewals, in seconds.
    private static let pause: UInt32 = 1
    /// Names of live operations that no daemon has are looked for once in so many renewals.
    private static let straysEvery = 30

    private struct State {
        var node: NodeName
        /// When the last renewal that succeeded was sent.
        var renewed: Uptime
        /// Since when the lease was renewed without a break.
        var unbroken: Uptime
        var adopted: Set<NodeName> = []
        var peers = Peers(count: 2, isLeader: false)
        /// Whether the daemon accepts requests.
        var isServing = false
        /// Whether the lease was ended, because the daemon stops.
        var hasLeft = false
    }

    /// What only the queue uses.
    private struct Progress {
        var rounds = 0
        var hasLeft = false
        var isClosed = false
        var hasToldLoss = false
        var hasToldFailure = false
    }

    private let opening: PostgresOpening
    private let queue = PausingQueue(label: "vestibule.postgresql.nodes")
    private let process: PostgresNodes.Process
    private let tell: @Sendable (Event) -> Void
    private let state: Mutex<State>
    private var connection: PostgresConnection?
    private var progress = Progress()
    /// How long leases have to be renewed without a break before this daemon takes over from others.
    ///
    /// After an outage each daemon needs up to a failed round of two waits and the pause until it renews its lease.
    private static let settling = PostgresNodes.lease + hold * 2 + .seconds(Int64(pause))
    private static let joins = 8

    /// Joins the daemons of the database.
    ///
    /// - Parameters:
    ///   - options: The database.
    ///   - environment: Makes the name of the process, and times the lease.
    ///   - description: What others are told of this daemon.
    ///   - renews: Whether the lease is renewed each second. `false` for tests that call ``renew()``.
    ///   - tell: Receives each change.
    /// - Throws: ``PostgresOpenError``.
    package init(
        _ options: PostgresOptions,
        environment: Environment,
        description: NodeDescription,
        renews: Bool = true,
        tell: @escaping @Sendable (Event) -> Void
    ) throws(PostgresOpenError) {
        var options = options
        options.deadline = min(options.deadline, Self.hold)
        opening = PostgresOpening(options: options, clock: environment.clock)
        process = PostgresNodes.Process(
            life: environment.newUUID(),
            description: description,
            notices: options.notices
        )
        self.tell = tell
        let (name, connection) = try opening.connect()
        let sent = environment.clock.now
        let node: NodeName
        do {
            let nodes = PostgresNodes(connection: connection)
            try nodes.checkNotices(process.notices)
            node = try Self.join(nodes, process)
        } catch {
            connection.close()
            throw PostgresOpenError(database: name, reason: PostgresOpening.reason(error))
        }
        self.connection = connection
        state = Mutex(State(node: node, renewed: sent, unbroken: sent))
        // So that a start reads the operations of earlier daemons whose leases are over, and knows the others.
        renew()
        if renews { wait() }
    }

    /// Throws if a daemon of the database would not hear what this process tells of.
    ///
    /// For a process that does not join. It changes nothing.
    package static func checkNotices(_ options: PostgresOptions, environment: Environment) throws(PostgresOpenError) {
        try PostgresOpening(options: options, clock: environment.clock)
            .look { try PostgresNodes(connection: $0).checkNotices(options.notices) }
    }

    /// Ends the lease, so that another daemon takes over at once.
    ///
    /// The name stays this daemon's until ``close()``. The call does not wait.
    package func leave() { queue.async { [self] in endLease() } }

    /// Ends the lease and gives the name back, and closes the connection.
    ///
    /// Further calls do nothing.
    package func close() {
        queue.sync {
            guard !progress.isClosed else { return }
            endLease()
            progress.isClosed = true
            if let connection {
                try? PostgresNodes(connection: connection).giveBack(state.withLock(\.node), life: process.life)
            }
            connection?.close()
            connection = nil
        }
    }

    private func endLease() {
        guard !progress.hasLeft else { return }
        progress.hasLeft = true
        let isLeaseHeld = isLeaseHeld
        state.withLock { state in
            state.peers.isLeader = state.peers.isLeader && isLeaseHeld
            state.hasLeft = true
        }
        if let connection {
            try? PostgresNodes(connection: connection).leave(state.withLock(\.node), life: process.life)
        }
    }

    /// Tells the others, with the next renewal, that this daemon accepts requests.
    package func noteServing() { state.withLock { $0.isServing = true } }

    /// Renews the lease once, and takes over what stopped daemons have left.
    package func renew() { queue.sync { runRound() } }

    /// Joins, again if another daemon was in the way.
    private static func join(_ nodes: PostgresNodes, _ process: PostgresNodes.Process) throws -> NodeName {
        for _ in 1..<joins {
            do { return try nodes.join(process) } catch StoreError.conflict {
                continue
            } catch PostgresError.server(state: "55P03", _) {
                continue
            }
        }
        return try nodes.join(process)
    }

    private func wait() {
        queue.run(afterSeconds: Self.pause) { [weak self] in
            guard let self, !progress.isClosed else { return }
            runRound()
            wait()
        }
    }

    private func runRound() {
        guard !progress.hasLeft, !progress.isClosed else { return }
        do {
            let connection = try usable()
            let nodes = PostgresNodes(connection: connection)
            let sent = opening.clock.now
            if try nodes.renew(state.withLock(\.node), life: process.life) {
                note(renewedAt: sent)
            } else {
                try rejoin(nodes)
            }
            try look(nodes)
            takeOverOrTell(nodes, at: sent)
        } catch {
            connection?.close()
            connection = nil
            noteFailure(error)
        }
    }

    /// A lease is held as well while nothing can be taken over.
    private func takeOverOrTell(_ nodes: PostgresNodes, at sent: Uptime) {
        do {
            try takeOver(nodes, at: sent)
            progress.rounds += 1
            if progress.rounds.isMultiple(of: Self.straysEvery) { try nodes.listStrays() }
            progress.hasToldFailure = false
        } catch {
            nodes.connection.rollback()
            guard !progress.hasToldFailure else { return }
            progress.hasToldFailure = true
            tell(.takeoverFailed(cause: StoreError(error).cause))
        }
    }

    private func look(_ nodes: PostgresNodes) throws {
        let (node, isServing) = state.withLock { ($0.node, $0.isServing) }
        // Each time, since a daemon with another name has another row.
        if isServing { try nodes.noteServing(node, life: process.life) }
        let peers = try nodes.peers(of: node, using: process.notices)
        let wasUnheard = state.withLock { state in
            defer { state.peers = peers }
            return state.peers.isUnheard
        }
        if peers.isUnheard, !wasUnheard { tell(.unheard) }
    }

    private func usable() throws -> PostgresConnection {
        if let connection, connection.isUsable { return connection }
        let made = try opening.connect().connection
        connection = made
        return made
    }

    private func note(renewedAt sent: Uptime) {
        state.withLock { state in
            if sent - state.renewed > Self.hold { state.unbroken = sent }
            state.renewed = sent
        }
        if progress.hasToldLoss { tell(.leaseHeld) }
        progress.hasToldLoss = false
    }

    /// Takes another name, because this one or its operations are another daemon's.
    ///
    /// A process that runs is not ended because others tell of changes in another way by now: ``Peers/isUnheard``.
    private func rejoin(_ nodes: PostgresNodes) throws {
        let sent = opening.clock.now
        let isDraining = state.withLock(\.peers.isDraining)
        let node = try Self.join(nodes, process)
        // An operator's word holds for the process, whatever its name.
        if isDraining { try nodes.drain(node, life: process.life) }
        state.withLock { state in
            state.node = node
            state.renewed = sent
            state.unbroken = sent
            state.adopted = []
        }
        progress.hasToldLoss = false
        tell(.renamed(node))
    }

    /// Takes over what stopped daemons have left.
    ///
    /// After an outage of the database every lease is over. So a daemon waits for as long as the others need to renew
    /// theirs, or all would take over from all.
    private func takeOver(_ nodes: PostgresNodes, at sent: Uptime) throws {
        let (own, unbroken) = state.withLock { ($0.node, $0.unbroken) }
        let isSettled = sent - unbroken >= Self.settling
        var adopted: Set<NodeName> = []
        for lapsed in try nodes.lapsed() where lapsed.name != own {
            if lapsed.adopter == own {
                adopted.insert(lapsed.name)
            } else if isSettled, lapsed.isForsaken, try nodes.adopt(lapsed, by: own) {
                adopted.insert(lapsed.name)
                tell(.adopted(lapsed.name))
            }
        }
        let before = state.withLock { state in
            defer { state.adopted = adopted }
            return state.adopted
        }
        // Only what a round before has shown to be read can be released.
        for name in before.intersection(adopted) where try nodes.release(name, by: own) {
            state.withLock { _ = $0.adopted.remove(name) }
            tell(.released(name))
        }
    }

    private func noteFailure(_ error: any Error) {
        guard !isLeaseHeld, !progress.hasToldLoss else { return }
        progress.hasToldLoss = true
        tell(.leaseLost(cause: StoreError(error).cause))
    }
}

extension PostgresMembership: NodeMembership {
    package var node: NodeName { state.withLock(\.node) }

    package var isShared: Bool { true }

    package var isLeaseHeld: Bool { opening.clock.now - state.withLock(\.renewed) < Self.hold }

    package var adopted: Set<NodeName> { state.withLock(\.adopted) }

    package var peers: Peers {
        var (peers, hasLeft) = state.withLock { ($0.peers, $0.hasLeft) }
        // A daemon that stops as the leader completes what it has begun: it may be the only one.
        peers.isLeader = peers.isLeader && (hasLeft || isLeaseHeld)
        return peers
    }
}
