import Kernel
import Synchronization

/// Messages between engines in one process, which the test hands on or loses.
final class MemoryFeed: ChangeFeed {
    private let sent = Mutex<[FeedMessage]>([])

    func announce(_ message: FeedMessage) { sent.withLock { $0.append(message) } }

    func events() -> AsyncStream<FeedEvent> { AsyncStream { $0.finish() } }

    /// Returns what was announced since the last call.
    func take() -> [FeedMessage] {
        sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
    }
}
