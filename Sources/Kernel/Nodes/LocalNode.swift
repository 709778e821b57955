import Synchronization

/// The only daemon on a database, which no other one shares.
package final class LocalNode: NodeMembership {
    private struct State {
        var servingSince: Instant?
        var isDraining = false
    }

    private let description: NodeDescription
    private let startedAt: Instant
    private let now: @Sendable () -> Instant
    private let state = Mutex(State())

    package init(_ description: NodeDescription, now: @escaping @Sendable () -> Instant) {
        self.description = description
        self.now = now
        startedAt = now()
    }

    /// Notes that the daemon accepts requests from now on.
    package func noteServing() {
        let now = now()
        state.withLock { $0.servingSince = $0.servingSince ?? now }
    }

    package var node: NodeName { .first }
    package var isShared: Bool { false }
    package var isLeaseHeld: Bool { true }
    package var adopted: Set<NodeName> { [] }

    package var peers: Peers { Peers(isDraining: state.withLock(\.isDraining)) }
}

extension LocalNode: NodeRegistry {
    package func list() -> [NodeRecord] {
        state.withLock { state in
            [
                NodeRecord(
                    name: node,
                    description: description,
                    startedAt: startedAt,
                    servingSince: state.servingSince,
                    lease: .unlimited,
                    adopter: nil,
                    isDraining: state.isDraining,
                    liveOperations: nil
                )
            ]
        }
    }

    package func setDraining(
        _ isDraining: Bool,
        of name: NodeName,
        isLastAllowed: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try list().checkDraining(isDraining, of: name, isLastAllowed: isLastAllowed)
        transaction.whenDurable { [self] in state.withLock { $0.isDraining = isDraining } }
        return state.withLock(\.isDraining) != isDraining
    }
}
