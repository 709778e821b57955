package import Kernel
package import MockServing
import Synchronization

/// The one shared ``BankMockState``, with the time and randomness that it runs on.
package final class BankMockBackend: Sendable {
    package let inputs: MachineInputs
    private let state: Mutex<BankMockState>

    package init(configuration: BankMockConfiguration = .init(), inputs: MachineInputs) {
        self.inputs = inputs
        state = Mutex(BankMockState(configuration))
    }

    /// Reads or changes the state; `body` gets the time of the call.
    package func with<Value: Sendable, Failure: Error>(
        _ body: (inout BankMockState, Instant) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let now = inputs.now()
        return try state.withLock { state throws(Failure) -> Value in try body(&state, now) }
    }
}
