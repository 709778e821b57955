import Kernel
import Synchronization

/// The provider's health as a stream last saw it, whose change the stream waits for.
package struct HealthSeen: Sendable, Equatable {
    let flips: Int
    let contact: ProviderContact
}

extension OperationCache {
    /// Returns the current health.
    ///
    /// Streams read it before they read the operation, so that a change in between ends their wait.
    package func healthSeen(_ card: CachedOperation?) -> HealthSeen {
        HealthSeen(flips: counts.healthFlips.load(ordering: .acquiring), contact: card?.lastContact ?? .answered)
    }

    /// Wakes every parked stream, because a provider's health has changed.
    ///
    /// The watcher's ticks wake them, at most the `limit` of ``wakeOverdue(at:limit:)`` per tick. Long polls are not
    /// woken, because they do not follow health.
    package func recallStreams() {
        counts.healthFlips.add(1, ordering: .acquiringAndReleasing)
        recall.withLock { $0.want() }
    }

    /// Takes the next streams that have to be woken.
    func takeRecalled(at now: Uptime, limit: Int) -> [Waiter] {
        recall.withLock { recall in
            recall.take(at: now, limit: limit) {
                allShards.flatMap { $0.parked.withLock(\.all).filter(\.followsHealth) }
            }
        }
    }
}

/// The streams that have to be woken because a provider's health changed.
struct StreamRecall {
    /// The shortest time between two rounds, so that a provider with unstable health does not keep every stream busy.
    static let interval: Duration = .seconds(1)

    private var isWanted = false
    /// The start of the last round.
    private var begun: Uptime?
    private var waiting: [Waiter] = []

    /// The time to wake the next stream; `nil` when no stream has to be woken.
    var next: Uptime? {
        if !waiting.isEmpty { return begun }
        return isWanted ? earliest : nil
    }

    mutating func want() { isWanted = true }

    /// Takes up to `limit` streams of the current round, or begins the next round with the streams that are parked now.
    mutating func take(at now: Uptime, limit: Int, _ streams: () -> [Waiter]) -> [Waiter] {
        if waiting.isEmpty, isWanted, now >= earliest {
            // This is cleared before the streams are listed, so that a change meanwhile causes another round.
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
