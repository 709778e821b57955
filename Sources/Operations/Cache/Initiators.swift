import Kernel
import Synchronization

/// Who started the operations that came to something, for when their owner says later that it was not them.
///
/// In memory and bounded, the oldest going first. Only what a face was accepted for gets in, so that nobody drives others
/// out with starts.
final class Initiators: Sendable {
    private static let capacity = 10_000

    private let sources = Mutex(BoundedMap<OperationRowID, RequestSource>(capacity: Initiators.capacity))

    func note(_ source: RequestSource, of operation: OperationRowID) {
        sources.withLock { _ = $0.set(source, for: operation) }
    }

    func source(of operation: OperationRowID) -> RequestSource? { sources.withLock { $0[operation] } }
}
