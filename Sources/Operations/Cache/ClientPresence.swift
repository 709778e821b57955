import Synchronization

/// Whether the client behind a connection is still there.
///
/// When its client has left, a waiting poll is woken and collects nothing. Nobody would receive the tokens, and a
/// client without cookies could not ask for them again.
package final class ClientPresence: Sendable {
    private struct State {
        var hasLeft = false
        /// The waiter of the client; a connection has one request at a time.
        var waiter: Waiter?
    }

    private let state = Mutex(State())

    package init() {}

    package var hasLeft: Bool { state.withLock(\.hasLeft) }

    /// Notes that the client has closed its side of the connection, and wakes its waiter.
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
