import Kernel
import Synchronization

/// The provider's health as a stream last saw it; the stream waits for a change.
package struct HealthSeen: Sendable, Equatable {
    let flips: Int
    let contact: ProviderContact
}

extension OperationCache {
    /// Returns the current health.
    ///
    /// Callers read it before they look, so that a change in between ends the wait.
    package func healthSeen(_ card: CachedOperation?) -> HealthSeen {
        HealthSeen(flips: healthFlips.load(ordering: .acquiring), contact: card?.lastContact ?? .answered)
    }

    /// Makes every parked stream look again, because a provider has gone or has come back.
    ///
    /// The watcher's ticks wake them, as many in each as ``wakeOverdue(at:limit:)`` is given. Long polls are not woken:
    /// they do not follow health.
    package func recallStreams() {
        healthFlips.add(1, ordering: .acquiringAndReleasing)
        recall.withLock { $0.want() }
    }

    /// Takes the next streams that have to look again.
    func takeRecalled(at now: Uptime, limit: Int) -> [Waiter] {
        recall.withLock { recall in
            recall.take(at: now, limit: limit) {
                allShards.flatMap { $0.parked.withLock(\.all).filter(\.followsHealth) }
            }
        }
    }
}

/// The streams that have to look again because a provider's health changed.
struct StreamRecall {
    /// The shortest time between two rounds, so that an unstable provider does not keep every stream busy.
    static let interval: Duration = .seconds(1)

    private var isWanted = false
    /// When the last round began.
    private var begun: Uptime?
    private var waiting: [Waiter] = []

    /// When the next stream is to be woken; `nil` when none is.
    var next: Uptime? {
        if !waiting.isEmpty { return begun }
        return isWanted ? earliest : nil
    }

    mutating func want() { isWanted = true }

    /// Takes up to `limit` streams of this round; begins the next round with the streams that wait then.
    mutating func take(at now: Uptime, limit: Int, _ streams: () -> [Waiter]) -> [Waiter] {
        if waiting.isEmpty, isWanted, now >= earliest {
            // It is cleared before the streams are listed: a change meanwhile asks for another round.
            isWanted = false
            begun = now
            waiting = streams()
        }
        let taken = Array(waiting.suffix(limit))
        waiting.removeLast(taken.count)
        return taken
    }

    private var earliest: Uptime { begun.map { $0 + Self.interval } ?? Uptime(nanoseconds: 0) }
}
