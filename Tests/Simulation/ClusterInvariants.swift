import Kernel
import MemoryStore

@testable import Operations

// What must hold of several daemons over one store, besides what must hold of one.
extension History {
    /// The clocks of two daemons differ by less than this.
    static let skew: Duration = .seconds(2)
    /// For so long after a change a poll may be parked that it has to wake, however many messages were lost.
    private static let tellingTime: Duration = .seconds(5)
    /// After so long without a disturbance somebody follows every operation.
    private static let restingTime: Duration = .seconds(75)
    /// A verdict is seen within that time, once somebody follows the scan.
    private static let seeingTime: Duration = .seconds(15)

    /// By how much times may differ that two daemons have measured.
    var tolerance: Duration { cluster == nil ? .zero : Self.skew }

    /// Notes whether a commit is about to report an error, and who had trouble with the store.
    func noteStoreStep(_ step: StoreStep, _ fault: InjectedFault?, isSlow: Bool) {
        guard cluster != nil else { return }
        // What was written before this step is of units that reported no error.
        checkWrites()
        if fault != nil || isSlow { daemons[current].peer?.lastTrouble = time.now }
        if step == .unit, fault == .afterCommit { cluster?.isUncertain = true }
    }

    /// Notes when a version could be announced.
    func noteChange(_ new: Operation) {
        guard cluster != nil else { return }
        if cluster?.isUncertain == true {
            cluster?.uncertain.insert(new.id)
        } else {
            cluster?.uncertain.remove(new.id)
            cluster?.changes[new.id, default: [:]][new.seq] = time.now
        }
    }

    /// T13: every parked poll learns of a change in time, unless its daemon could not read.
    func checkTold() {
        guard let cluster else { return }
        for waiter in waiters where isAlive(waiter) {
            guard let peer = daemons[waiter.daemon].peer, peer.isServing, peer.storeWaits == 0 else { continue }
            let changes = (cluster.changes[waiter.operation.id] ?? [:]).filter { $0.key > waiter.operation.seq }
            guard let changed = changes.values.min(), peer.lastTrouble < changed else { continue }
            if time.now - changed > Self.tellingTime {
                fail("\(name(of: waiter.daemon)) has not told of a change for \(time.now - changed)")
            }
        }
    }

    /// What must hold once nothing has happened to a daemon or the store for a while.
    func checkTogether() {
        guard let cluster, time.now - max(cluster.lastDisturbance, lastOutage) > Self.restingTime else { return }
        for operation in disk.tables.operations.values where !checked.contains(operation.credentials.publicID) {
            if let end = operation.end, time.wall > end + .seconds(10) {
                fail("\(operation.id) is \(operation.state.name) \(time.wall - end) after its time")
            }
            checkIsSeen(operation, uncertain: cluster.uncertain.contains(operation.id))
        }
    }

    /// A scan that somebody has to follow does not keep its verdict for itself.
    private func checkIsSeen(_ operation: Operation, uncertain: Bool) {
        guard case .pending(let scan) = operation.state, !uncertain, calm > 0,
            let fate = fates[scan.reference], time.now - max(fate.verdictAt, fate.knownAt) > Self.seeingTime
        else { return }
        fail("nobody has asked about \(scan.reference.text), which has a verdict for \(time.now - fate.verdictAt)")
    }

    /// Only a daemon whose lease is held asks a provider, and only about what it follows.
    func checkAsking(_ reference: ProviderReference, at provider: ProviderName) {
        guard let peer = daemons[current].peer else { return }
        if !peer.isRunning { fail("\(name(of: current)) does not run and asks about \(reference.text)") }
        if !peer.node.isLeaseHeld { fail("\(name(of: current)) asks about \(reference.text) without its lease") }
        guard let operation = service.cache.card(reference: reference, at: provider)?.operation else { return }
        let followed = peer.node.adopted.union([peer.node.node])
        if !followed.contains(operation.version.writer) {
            fail("\(name(of: current)) asks about \(reference.text), which \(operation.version.writer) follows")
        }
    }

    /// Each operation's steps are in the audit once.
    func checkAudit() {
        let tables = disk.tables
        let records = Dictionary(grouping: tables.auditLog, by: \.subject)
        for operation in tables.operations.values {
            let events = (records[operation.id.description] ?? []).events(OperationAuditEvent.self)
            let count = { (event: OperationAuditEvent) in events.count { $0 == event } }
            if count(.approved) > 1 || count(.opened) > 1 { fail("\(operation.id) was opened or approved twice") }
            if count(.closed) + count(.enrolled) + count(.failed) > 1 { fail("\(operation.id) has ended twice") }
            let isCollected = operation.session != nil && operation.request.purpose == .login
            if count(.redeemed) != (isCollected ? 1 : 0) {
                fail("\(operation.id) is \(operation.state.name), and was collected \(count(.redeemed)) times")
            }
        }
    }
}
