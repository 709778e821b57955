import Kernel

/// The recent webhooks of one provider, so that each event counts once.
///
/// Events are forgotten once a repetition would not be accepted as fresh, and beyond the capacity, oldest first. Only
/// genuine webhooks are noted, so that only the provider can displace one.
struct WebhookMemory: Sendable {
    private struct Entry {
        let event: Digest256
        let until: Uptime
    }

    private let capacity: Int
    private var events: Set<Digest256> = []
    private var order: [Entry] = []
    private var head = 0
    /// The time at which the newest webhook about each scan was sent.
    private var newest: [Digest256: (sentAt: Instant, until: Uptime)] = [:]

    init(capacity: Int = 10_000) { self.capacity = max(1, capacity) }

    var count: Int { events.count }
    var scanCount: Int { newest.count }

    /// Notes an event and returns whether it is new.
    mutating func admit(_ event: Digest256, for duration: Duration, at now: Uptime) -> Bool {
        forget(before: now)
        guard events.insert(event).inserted else { return false }
        order.append(Entry(event: event, until: now + duration))
        if events.count > capacity { forgetOldest() }
        return true
    }

    /// Whether a webhook about that scan that was sent later was received before.
    mutating func isOvertaken(_ scan: Digest256, _ sentAt: Instant, for duration: Duration, at now: Uptime) -> Bool {
        if let known = newest[scan], known.until > now, known.sentAt > sentAt { return true }
        newest[scan] = (sentAt, now + duration)
        if newest.count > capacity {
            newest = newest.filter { $0.value.until > now }
            // All are still fresh. The memory limit is more important than the order of webhooks.
            if newest.count > capacity { newest = [scan: (sentAt, now + duration)] }
        }
        return false
    }

    private mutating func forget(before now: Uptime) {
        while head < order.count, order[head].until <= now { forgetOldest() }
    }

    private mutating func forgetOldest() {
        events.remove(order[head].event)
        head += 1
        // Moves the rest to the front once half of the array has expired.
        if head > 512, head * 2 > order.count {
            order.removeFirst(head)
            head = 0
        }
    }
}
