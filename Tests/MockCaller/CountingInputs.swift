import Kernel
package import MockServing
import Synchronization

/// Time that a test moves, and random bytes that count up.
package final class CountingInputs: Sendable {
    private let state = Mutex((seconds: Int64(1_700_000_000), drawn: UInt8(0)))

    package init() {}

    package func advance(seconds: Int64) { state.withLock { $0.seconds += seconds } }

    package var inputs: MachineInputs {
        MachineInputs(now: { self.now }, randomBytes: { self.bytes($0) })
    }

    private var now: Instant { Instant(seconds: state.withLock(\.seconds)) }

    private func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            state.drawn &+= 1
            return Array(repeating: state.drawn, count: count)
        }
    }
}
