package import Kernel
import Synchronization

/// The one shared ``MockState``, with the time and randomness that it runs on.
///
/// Every call is a short critical section.
package final class MockBackend: Sendable {
    package let inputs: MockInputs
    /// Whether webhooks may leave this machine.
    let allowsRemoteWebhooks: Bool
    private let state: Mutex<MockState>

    package init(configuration: MockConfiguration = MockConfiguration(), inputs: MockInputs) {
        self.inputs = inputs
        allowsRemoteWebhooks = configuration.allowsRemoteWebhooks
        state = Mutex(MockState(configuration: configuration, random: inputs.randomBytes))
    }

    package var now: Instant { inputs.now() }

    /// Reads or changes the state; `body` gets the time of the call.
    package func with<Value: Sendable, Failure: Error>(
        _ body: (inout MockState, Instant) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let now = inputs.now()
        return try state.withLock { state throws(Failure) -> Value in try body(&state, now) }
    }
}
