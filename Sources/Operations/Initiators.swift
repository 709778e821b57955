import Kernel
import Synchronization

/// Who started the operations that came to something, for when their owner says later that it was not them.
///
/// In memory and bounded, the oldest going first. Only what a face was accepted for gets in, so that nobody drives others
/// out with starts.
final class Initiators: Sendable {
    private static let capacity = 10_000

    private struct State {
        var sources: [OperationRowID: RequestSource] = [:]
        var order: [OperationRowID] = []
        var oldest = 0
    }

    private let state = Mutex(State())

    func note(_ source: RequestSource, of operation: OperationRowID) {
        state.withLock { state in
            guard state.sources.updateValue(source, forKey: operation) == nil else { return }
            guard state.order.count == Self.capacity else { return state.order.append(operation) }
            state.sources[state.order[state.oldest]] = nil
            state.order[state.oldest] = operation
            state.oldest = (state.oldest + 1) % Self.capacity
        }
    }

    func source(of operation: OperationRowID) -> RequestSource? { state.withLock { $0.sources[operation] } }
}
