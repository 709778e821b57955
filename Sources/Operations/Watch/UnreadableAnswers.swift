import Kernel
import Logging
import Synchronization

/// Counts answers that cannot be read, so that the log names them without being filled by them.
final class UnreadableAnswers: Sendable {
    /// A line at most this often for one provider; it says how many there were since the one before.
    static let lineEvery: Duration = .seconds(10)

    private struct Seen {
        var lastLine: Uptime
        var unlogged = 0
    }

    private let clock: any MonotonicClock
    private let seen = Mutex<[ProviderName: Seen]>([:])

    init(clock: any MonotonicClock) { self.clock = clock }

    /// Takes one in.
    ///
    /// - Returns: How many a line is due for, and `nil` while none is.
    func note(_ provider: ProviderName) -> Int? {
        let now = clock.now
        return seen.withLock { seen in
            guard var before = seen[provider] else {
                seen[provider] = Seen(lastLine: now)
                return 1
            }
            defer { seen[provider] = before }
            before.unlogged += 1
            guard now - before.lastLine >= Self.lineEvery else { return nil }
            defer { before = Seen(lastLine: now) }
            return before.unlogged
        }
    }
}

extension OperationService {
    /// A check was answered with something that says nothing about its scan.
    func noteUnreadable(_ status: ScanStatus, _ operation: Operation) {
        guard let count = unreadable.note(operation.provider) else { return }
        let metadata: Logger.Metadata = [
            "provider": "\(operation.provider)", "answer": "\(status.auditDetail)", "count": "\(count)",
        ]
        logger.warning("the provider's answer to a check cannot be read", metadata: operation.logged(metadata))
    }
}
