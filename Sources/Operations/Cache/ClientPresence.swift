import Synchronization

/// Whether the client at the other end of a connection is still connected.
///
/// When the client has disconnected, its waiting poll is woken and collects nothing. Otherwise the tokens would be
/// lost, because a client without cookies could not ask for them again.
package final class ClientPresence: Sendable {
    private struct State {
        var hasLeft = false
        /// The client's waiter, of which there is one, as a connection has one request at a time.
        var waiter: Waiter?
    }

    private let state = Mutex(State())

    package init() {}

    package var hasLeft: Bool { state.withLock(\.hasLeft) }

    /// Notes that the client has closed its end of the connection, and wakes its waiter.
    package func leave() {
        let waiter = state.withLock { state -> Waiter? in
            state.hasLeft = true
            return state.waiter
        }
        waiter?.resume()
    }

    func accompany(_ waiter: Waiter) {
        let hasLeft = state.withLock { state -> Bool in
            state.waiter = waiter
            return state.hasLeft
        }
        if hasLeft { waiter.resume() }
    }

    func forget() { state.withLock { $0.waiter = nil } }
}
