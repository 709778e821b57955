import Kernel
import Synchronization

/// What a stream knew of the provider's health when it last looked: it waits for another.
package struct HealthSeen: Sendable, Equatable {
    let flips: Int
    let contact: ProviderContact
}

extension OperationCache {
    /// What is known of health now; taken before the look that it stands for, so that a flip in between ends the wait.
    package func healthSeen(_ card: CachedOperation?) -> HealthSeen {
        HealthSeen(flips: healthFlips.load(ordering: .acquiring), contact: card?.lastContact ?? .answered)
    }

    /// Has every parked stream look again: a provider has gone, or has come back.
    ///
    /// They are woken by the watcher's beats, as many in each as ``wakeOverdue(at:limit:)`` is given. Long polls are not:
    /// health is no change to them.
    package func recallStreams() {
        healthFlips.add(1, ordering: .acquiringAndReleasing)
        recall.withLock { $0.want() }
    }

    /// The next of those that are to look again.
    func takeRecalled(at now: Uptime, limit: Int) -> [Waiter] {
        recall.withLock { recall in
            recall.take(at: now, limit: limit) {
                allShards.flatMap { $0.parked.withLock(\.all).filter(\.followsHealth) }
            }
        }
    }
}

/// Which streams are to look again because a provider's health changed.
struct StreamRecall {
    /// The shortest time from one round to the next: a provider that comes and goes does not keep every stream busy.
    static let interval: Duration = .seconds(1)

    private var isWanted = false
    /// When the last round began.
    private var begun: Uptime?
    private var waiting: [Waiter] = []

    /// When somebody is to be woken next; `nil` when nobody is.
    var next: Uptime? {
        if !waiting.isEmpty { return begun }
        return isWanted ? earliest : nil
    }

    mutating func want() { isWanted = true }

    /// Up to `limit` of this round; begins the next one, with who waits then, when there is to be one.
    mutating func take(at now: Uptime, limit: Int, _ streams: () -> [Waiter]) -> [Waiter] {
        if waiting.isEmpty, isWanted, now >= earliest {
            // Cleared before they are listed: a flip meanwhile asks for another round.
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
