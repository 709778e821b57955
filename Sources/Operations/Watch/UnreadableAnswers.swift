import Kernel
import Logging
import Synchronization

/// Counts providers' unreadable answers, so that they do not fill the log.
final class UnreadableAnswers: Sendable {
    /// The shortest time between two log lines about a provider, each with the count since the previous one.
    static let lineEvery: Duration = .seconds(10)

    private struct Seen {
        var lastLine: Uptime
        var unlogged = 0
    }

    private let clock: any MonotonicClock
    private let seen = Mutex<[ProviderName: Seen]>([:])

    init(clock: any MonotonicClock) { self.clock = clock }

    /// Counts an unreadable answer.
    ///
    /// - Returns: The count for a log line; `nil` while no line is due.
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
    /// Counts and logs an answer to a check that says nothing about its scan.
    func noteUnreadable(_ status: ScanStatus, _ operation: Operation) {
        guard let count = providers.unreadable.note(operation.provider) else { return }
        let metadata: Logger.Metadata = [
            "provider": "\(operation.provider)", "answer": "\(status.auditDetail)", "count": "\(count)",
        ]
        reports.logger.warning(
            "the provider's answer to a check can't be read: compare the provider's config with its API",
            metadata: operation.logged(metadata)
        )
    }
}
