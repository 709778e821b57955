package import Kernel
package import MockServing
import Synchronization

/// The one shared ``UpstreamMockState``, with the time and randomness that it runs on.
package final class UpstreamMockBackend: Sendable {
    package let inputs: MachineInputs
    private let state: Mutex<UpstreamMockState>

    package init(configuration: UpstreamMockConfiguration = .init(), inputs: MachineInputs) {
        self.inputs = inputs
        state = Mutex(UpstreamMockState(configuration))
    }

    /// Reads or changes the state; `body` gets the time of the call.
    package func with<Value: Sendable, Failure: Error>(
        _ body: (inout UpstreamMockState, Instant) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let now = inputs.now()
        return try state.withLock { state throws(Failure) -> Value in try body(&state, now) }
    }
}
