package import Kernel
import Synchronization

/// The one shared state of a mock, with the time and randomness that it runs on.
///
/// Every call is a short critical section.
package final class SharedState<State: Sendable>: Sendable {
    package let inputs: MachineInputs
    private let state: Mutex<State>

    package init(_ state: State, inputs: MachineInputs) {
        self.inputs = inputs
        self.state = Mutex(state)
    }

    package var now: Instant { inputs.now() }

    /// Reads or changes the state; `body` gets the time of the call.
    package func with<Value: Sendable, Failure: Error>(
        _ body: (inout State, Instant) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let now = inputs.now()
        return try state.withLock { state throws(Failure) -> Value in try body(&state, now) }
    }
}
