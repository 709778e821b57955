import Kernel
import Synchronization

@testable import Audit

/// The units of one daemon of several on a store in memory, which runs one unit at a time.
struct SharedUnits: UnitOfWork {
    /// The store's turn.
    final class Turn: Sendable {
        fileprivate let lock = Mutex(())
    }

    let turn: Turn
    /// The lane of all of the daemon's units.
    let lane: Int

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let effects = DurableEffects()
        let value = try turn.lock.withLock { _ in
            try body(Transaction(context: DirectUnits.Context(), lane: lane, effects: effects))
        }
        effects.run()
        return value
    }
}

/// A daemon of several, which the test makes the leader.
final class ScriptedNode: NodeMembership {
    private let leads: Mutex<Bool>

    init(isLeader: Bool) { leads = Mutex(isLeader) }

    func lead(_ isLeader: Bool) { leads.withLock { $0 = isLeader } }

    var node: NodeName { .first }
    var isShared: Bool { true }
    var isLeaseHeld: Bool { true }
    var adopted: Set<NodeName> { [] }
    var peers: Peers { Peers(count: 2, isLeader: leads.withLock(\.self)) }
}
