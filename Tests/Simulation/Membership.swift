import Kernel
import MemoryStore
import Synchronization

@testable import Operations

// Names, leases and takeovers, by the rules of PostgreSQL's table of daemons (`PostgresMembership`, `PostgresNodes`).
extension History {
    /// Renews what is a second old, and takes over what was left.
    func keepMemberships() {
        for index in daemons.indices {
            guard let peer = daemons[index].peer, peer.isRunning, !peer.isStopping,
                time.now - peer.node.state.withLock(\.lastRound) >= .seconds(1)
            else { continue }
            keepMembership(of: index, peer.node)
        }
    }

    /// Lets time pass in which daemons renew their leases each second.
    func advance(by duration: Duration) {
        let before = time.now
        time.advance(by: duration)
        guard !storeIsDown, let rows = cluster?.rows else { return }
        for daemon in daemons {
            guard let peer = daemon.peer, peer.isRunning, !peer.isStopping, peer.node.isLeaseHeld(at: before),
                let row = rows[peer.node.node], row.life == daemon.life, row.adopter == nil
            else { continue }
            let now = time.now
            peer.node.state.withLock { $0.renewed = now }
            cluster?.rows[peer.node.node]?.leaseUntil = now + NodeRow.lease
        }
    }

    /// One round of a daemon: it renews its lease or takes another name, and takes over from others.
    func keepMembership(of index: Int, _ node: SimulatedNode) {
        let now = time.now
        node.state.withLock { $0.lastRound = now }
        guard !storeIsDown else { return }
        let name = node.node
        if let row = cluster?.rows[name], row.life == daemons[index].life, row.adopter == nil {
            cluster?.rows[name]?.leaseUntil = now + NodeRow.lease
            node.state.withLock { state in
                if now - state.renewed > SimulatedNode.hold { state.unbroken = now }
                state.renewed = now
            }
        } else {
            census.renamed += 1
            let other = join(daemons[index].life)
            note("\(name) is \(other) from now on")
            node.state.withLock { state in
                (state.name, state.renewed, state.unbroken, state.adopted) = (other, now, now, [])
            }
            disturb()
        }
        takeOver(as: node, at: now)
    }

    /// Takes the first free name.
    func join(_ life: Int) -> NodeName {
        let rows = cluster?.rows ?? [:]
        let taken = Set(rows.filter { $0.value.adopter != nil || $0.value.leaseUntil != nil }.keys.map(\.slot))
        let name = NodeName(slot: (0...taken.count).first { !taken.contains($0) } ?? taken.count)
        cluster?.rows[name] = NodeRow(life: life, leaseUntil: time.now + NodeRow.lease)
        listStrays()
        return name
    }

    /// Lists the writers of live operations that no row has.
    private func listStrays() {
        for operation in disk.tables.operations.values where !operation.state.isTerminal {
            let writer = operation.version.writer
            if cluster?.rows[writer] == nil { cluster?.rows[writer] = NodeRow(life: 0, leaseUntil: nil) }
        }
    }

    private func takeOver(as node: SimulatedNode, at now: Uptime) {
        let own = node.node
        let isSettled = now - node.state.withLock(\.unbroken) >= SimulatedNode.settling
        var adopted: Set<NodeName> = []
        let lapsed = (cluster?.rows ?? [:]).filter { $0.key != own && $0.value.isOver(at: now) }
        for (name, row) in lapsed.sorted(by: { $0.key.slot < $1.key.slot }) {
            if row.adopter == own {
                adopted.insert(name)
            } else if isSettled, isForsaken(row, at: now) {
                note("\(own) takes over from \(name)")
                census.adopted += 1
                cluster?.rows[name]?.adopter = own
                adopted.insert(name)
            }
        }
        let rounds = node.state.withLock { state in
            for name in state.adopted.intersection(adopted) where isReleased(name, at: now) {
                adopted.remove(name)
                cluster?.rows[name] = nil
            }
            state.adopted = adopted
            state.rounds += 1
            return state.rounds
        }
        if rounds.isMultiple(of: 30) { listStrays() }
    }

    /// Whether nobody follows what the daemon of that row has left.
    private func isForsaken(_ row: NodeRow, at now: Uptime) -> Bool {
        row.adopter.map { cluster?.rows[$0]?.isOver(at: now) ?? true } ?? true
    }

    /// Whether nothing is left of a stopped daemon, which writes no more.
    private func isReleased(_ name: NodeName, at now: Uptime) -> Bool {
        guard cluster?.rows[name]?.leaseUntil.map({ now - $0 > NodeRow.memory }) ?? true else { return false }
        return !disk.tables.operations.values.contains { $0.version.writer == name && !$0.state.isTerminal }
    }

    /// When a takeover, or another reading of what was taken over, may be due.
    var nextTakeover: Uptime? {
        guard let rows = cluster?.rows else { return nil }
        let held = Set(daemons.filter { $0.peer?.isServing == true }.map(\.life))
        if rows.values.contains(where: { !held.contains($0.life) && isForsaken($0, at: time.now) }) {
            return time.now + .seconds(1)
        }
        let isAdopted = disk.tables.operations.values.contains {
            !$0.state.isTerminal && rows[$0.version.writer]?.adopter != nil
        }
        return isAdopted ? time.now + Adoptions.again : nil
    }

    /// Notes that what daemons follow is about to change hands.
    func disturb() { cluster?.lastDisturbance = time.now }
}
