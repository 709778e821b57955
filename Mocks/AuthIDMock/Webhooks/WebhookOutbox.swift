import Kernel
import MockServing

/// The webhooks to deliver, and those that were delivered.
///
/// Pure, like all of ``MockState``; ``WebhookSender`` carries it out.
struct WebhookOutbox: Sendable {
    var plan: WebhookPlan?
    /// Scans whose end was not told yet, and whether their opening was.
    private var untold: [UUIDBits: Bool] = [:]
    private var waiting: [WebhookDelivery] = []
    private(set) var records: BoundedLog<WebhookRecord>
    private let capacity: Int

    init(plan: WebhookPlan?, capacity: Int, records: Int) {
        self.plan = plan
        self.capacity = capacity
        self.records = BoundedLog(capacity: records)
    }

    /// Scans that something may still be told about.
    var watched: [(scan: UUIDBits, isOpeningTold: Bool)] { untold.map { ($0.key, $0.value) } }

    var waitingCount: Int { waiting.count }

    mutating func watch(_ scan: UUIDBits) {
        guard untold.count < capacity else { return }
        untold[scan] = false
    }

    mutating func tellOpening(_ scan: UUIDBits) { untold[scan] = true }
    mutating func forget(_ scan: UUIDBits) { untold[scan] = nil }

    /// Plans the deliveries of an event: as many as the plan has copies, each at a time of its own.
    mutating func add(_ event: WebhookEvent, now: Instant, random: MachineInputs.RandomBytes) {
        guard let plan else { return }
        for _ in 0..<plan.copies {
            let share = Double(MockState.seed(random) >> 11) / Double(UInt64(1) << 53)
            enqueue(event, attempt: 1, due: now + plan.delay + plan.disorder * share, mangling: plan.mangling)
        }
    }

    /// Plans deliveries at once, which are not repeated when they fail.
    mutating func addNow(_ event: WebhookEvent, now: Instant, mangling: WebhookMangling?, copies: Int) {
        for _ in 0..<copies {
            enqueue(event, attempt: WebhookDelivery.retries.count + 1, due: now, mangling: mangling)
        }
    }

    /// One delivery at once, for a tester who wants to see its result.
    mutating func takeNow(_ event: WebhookEvent, now: Instant, mangling: WebhookMangling?) -> WebhookDelivery {
        let delivery = WebhookDelivery(number: records.appended, event: event, attempt: 1, due: now, mangling: mangling)
        records.append(WebhookRecord(delivery: delivery))
        return delivery
    }

    /// Takes out what is due, in the order of their times.
    mutating func takeDue(at now: Instant) -> [WebhookDelivery] {
        guard waiting.contains(where: { $0.due <= now }) else { return [] }
        let due = waiting.filter { $0.due <= now }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        waiting.removeAll { $0.due <= now }
        return due
    }

    /// Notes the answer; plans another attempt where a sender would make one.
    mutating func finish(_ delivery: WebhookDelivery, status: Int?, now: Instant, retries: Bool) {
        records.update(delivery.number) {
            $0.sent = now
            $0.status = status
        }
        let isRefused = status.map { $0 >= 500 || $0 == 429 } ?? true
        guard retries, isRefused, delivery.attempt <= WebhookDelivery.retries.count else { return }
        let pause = WebhookDelivery.retries[delivery.attempt - 1]
        enqueue(delivery.event, attempt: delivery.attempt + 1, due: now + pause, mangling: delivery.mangling)
    }

    private mutating func enqueue(_ event: WebhookEvent, attempt: Int, due: Instant, mangling: WebhookMangling?) {
        guard waiting.count < capacity else { return }
        let number = records.appended
        let delivery = WebhookDelivery(number: number, event: event, attempt: attempt, due: due, mangling: mangling)
        records.append(WebhookRecord(delivery: delivery))
        waiting.append(delivery)
    }
}
