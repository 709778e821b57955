package import Kernel
package import MockServing

extension MockState {
    /// Where webhooks go from now on; `nil` sends none.
    package mutating func setWebhooks(_ plan: WebhookPlan?) {
        webhooks.plan = plan
        if plan == nil { webhooks.watched.forEach { webhooks.forget($0.scan) } }
    }

    package var webhookPlan: WebhookPlan? { webhooks.plan }

    /// The newest deliveries first.
    package func listDeliveries(limit: Int) -> [WebhookRecord] {
        Array(webhooks.records.newestFirst.prefix(limit))
    }

    /// Tells that a scan began, and follows it from now on.
    mutating func tellCreation(of scan: Scan, now: Instant, random: MachineInputs.RandomBytes) {
        guard webhooks.plan != nil else { return }
        webhooks.watch(scan.id)
        webhooks.add(event(.created, of: scan, at: now, random: random), now: now, random: random)
    }

    /// The webhooks to deliver now.
    ///
    /// Looks at every scan that has not ended: a mock has few.
    package mutating func takeDueWebhooks(now: Instant, random: MachineInputs.RandomBytes) -> [WebhookDelivery] {
        guard webhooks.plan != nil else { return [] }
        for (id, isOpeningTold) in webhooks.watched.sorted(by: { $0.scan < $1.scan }) {
            guard let scan = scans[id] else {
                webhooks.forget(id)
                continue
            }
            if !isOpeningTold, let opened = scan.opened {
                webhooks.tellOpening(id)
                webhooks.add(event(.opened, of: scan, at: opened, random: random), now: now, random: random)
            }
            if let verdict = scan.reportedVerdict(at: now) {
                webhooks.forget(id)
                webhooks.add(event(.decided, of: scan, at: verdict.at, random: random), now: now, random: random)
            }
        }
        return webhooks.takeDue(at: now)
    }

    /// A webhook about that scan as it stands, to be delivered at once.
    package mutating func takeWebhookNow(
        _ id: UUIDBits,
        mangling: WebhookMangling?,
        now: Instant,
        random: MachineInputs.RandomBytes
    ) throws(DecisionError) -> WebhookDelivery {
        guard let scan = scans[id] else { throw .unknownScan }
        return webhooks.takeNow(event(about: scan, now: now, random: random), now: now, mangling: mangling)
    }

    /// Plans webhooks about that scan as it stands, each to be delivered once and at once.
    mutating func sendWebhook(
        about scan: Scan,
        mangling: WebhookMangling?,
        copies: Int,
        now: Instant,
        random: MachineInputs.RandomBytes
    ) {
        webhooks.addNow(event(about: scan, now: now, random: random), now: now, mangling: mangling, copies: copies)
    }

    private func event(about scan: Scan, now: Instant, random: MachineInputs.RandomBytes) -> WebhookEvent {
        let isOver = scan.reportedVerdict(at: now) != nil
        let kind: WebhookEvent.Kind = isOver ? .decided : scan.opened == nil ? .created : .opened
        return event(kind, of: scan, at: now, random: random)
    }

    mutating func finish(_ delivery: WebhookDelivery, status: Int?, now: Instant, retries: Bool) {
        webhooks.finish(delivery, status: status, now: now, retries: retries)
    }

    private func event(
        _ kind: WebhookEvent.Kind,
        of scan: Scan,
        at instant: Instant,
        random: MachineInputs.RandomBytes
    ) -> WebhookEvent {
        WebhookEvent(
            id: UUIDBits(version4: random(16)),
            kind: kind,
            scan: scan.id,
            at: instant,
            status: scan.reportedStatus(at: instant)
        )
    }
}
