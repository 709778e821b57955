import Synchronization

/// Whether the client behind a connection is still there.
///
/// A poll that waits for one that has left is woken, and collects nothing: nobody would have the tokens, and a client
/// that keeps no cookies could not ask for them again.
package final class ClientPresence: Sendable {
    private struct State {
        var hasLeft = false
        /// Who waits for the client; a connection has one request at a time.
        var waiter: Waiter?
    }

    private let state = Mutex(State())

    package init() {}

    package var hasLeft: Bool { state.withLock(\.hasLeft) }

    /// The client has closed its side of the connection.
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
