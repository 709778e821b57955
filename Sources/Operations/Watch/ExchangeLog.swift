import Kernel
import Synchronization

/// The last exchanges with providers about all operations of this daemon, for operators.
///
/// It is one ring for the daemon, so that a live operation takes no more memory by it. An exchange like the operation's
/// previous one is not kept again: a scan that stays pending has one entry, however often it is checked.
final class ExchangeLog: Sendable {
    /// The most exchanges that are kept; the oldest go first.
    static let capacity = 1024

    private struct Entry {
        let operation: Digest256
        let exchange: ProviderExchange
    }

    private struct Ring {
        var entries: [Entry] = []
        /// The entry that is replaced next, once the ring is full.
        var oldest = 0

        mutating func add(_ entry: Entry) {
            guard entries.count == ExchangeLog.capacity else { return entries.append(entry) }
            entries[oldest] = entry
            oldest = (oldest + 1) % ExchangeLog.capacity
        }
    }

    private let ring = Mutex(Ring())

    func add(_ exchange: ProviderExchange, about operation: Digest256) {
        ring.withLock { $0.add(Entry(operation: operation, exchange: exchange)) }
    }

    /// Returns the operation's exchanges that are kept, the oldest first.
    func exchanges(about operation: Digest256) -> [ProviderExchange] {
        let (entries, oldest) = ring.withLock { ($0.entries, $0.oldest) }
        return (entries[oldest...] + entries[..<oldest]).filter { $0.operation == operation }.map(\.exchange)
    }
}

extension OperationService {
    /// Returns what providers answered about the operation, the oldest first, as far as this daemon still knows.
    package func exchanges(about operation: Operation) -> [ProviderExchange] {
        watch.exchanges.exchanges(about: operation.credentials.publicID)
    }
}
