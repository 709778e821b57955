import Kernel
import MemoryStore

@testable import Assembly
@testable import Operations

// What all daemons of a harness have counted together.
extension Harness {
    func refusals(_ reason: RefusalReason) -> Int { sum { $0.refusals.totals[reason] } }

    func refusals(_ event: TalliedEvent) -> Int { sum { $0.refusals.eventTotals[event] } }

    func webhooks(_ outcome: WebhookOutcome, of provider: String = "mock") -> Int {
        daemons.compositions.reduce(0) { sum, daemon in
            sum + (daemon.webhooks.counts.snapshot[ProviderName(provider)]?[outcome] ?? 0)
        }
    }

    /// Wakes the polls whose time is up, on each daemon, without a check of a scan.
    func wakeOverdue() {
        for daemon in daemons.compositions { daemon.service.cache.wakeOverdue(at: time.now) }
    }

    private func sum(_ count: (OperationService) -> Int?) -> Int {
        daemons.compositions.reduce(0) { $0 + (count($1.service) ?? 0) }
    }
}
