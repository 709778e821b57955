import Kernel
import Operations
import Synchronization

/// An engine among several over one store, whose lease and adoptions the test decides.
final class ScriptedNodes: NodeMembership {
    private struct State {
        var node: NodeName
        var isLeaseHeld = true
        var adopted: Set<NodeName> = []
        var peers = Peers()
    }

    private let state: Mutex<State>

    init(_ slot: Int) { state = Mutex(State(node: NodeName(slot: slot))) }

    var isShared: Bool { true }

    var node: NodeName {
        get { state.withLock(\.node) }
        set { state.withLock { $0.node = newValue } }
    }

    var isLeaseHeld: Bool {
        get { state.withLock(\.isLeaseHeld) }
        set { state.withLock { $0.isLeaseHeld = newValue } }
    }

    var adopted: Set<NodeName> {
        get { state.withLock(\.adopted) }
        set { state.withLock { $0.adopted = newValue } }
    }

    var peers: Peers {
        get { state.withLock(\.peers) }
        set { state.withLock { $0.peers = newValue } }
    }
}
