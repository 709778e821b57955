import Kernel
import Synchronization

/// The sources of operations that were collected, for when their owner disowns one later.
///
/// It is in memory and bounded; the oldest entries go first. Only operations with an accepted face are noted, so that
/// starts alone drive no entry out.
final class Initiators: Sendable {
    private static let capacity = 10_000

    private let sources = Mutex(BoundedMap<OperationRowID, RequestSource>(capacity: Initiators.capacity))

    func note(_ source: RequestSource, of operation: OperationRowID) {
        sources.withLock { _ = $0.set(source, for: operation) }
    }

    func source(of operation: OperationRowID) -> RequestSource? { sources.withLock { $0[operation] } }
}
