package import Operations
import Synchronization

/// Turned once, when the daemon goes down: parked polls are answered, and none parks any more.
package final class DrainSwitch: Sendable {
    private let board: LiveBoard
    private let state = Atomic<Bool>(false)

    package init(board: LiveBoard) { self.board = board }

    package var isDraining: Bool { state.load(ordering: .acquiring) }

    package func drain() {
        state.store(true, ordering: .releasing)
        board.wakeAll()
    }
}
