import Kernel
import Logging
import Synchronization

/// Scans that are no longer needed, to be canceled at their providers when capacity allows.
///
/// This is best effort: the verdict of such a scan grants nothing, canceled or not. Scans beyond the capacity, or still
/// listed when the daemon stops, are left to end by themselves.
final class OrphanedScans: Sendable {
    struct Item: Sendable, Equatable {
        let reference: ProviderReference
        let provider: ProviderName
    }

    /// Far more scans than people abandon in one tick, to bound the memory while a provider hangs.
    static let capacity = 1024
    /// The greatest number of concurrent requests, for all providers together.
    static let concurrency = 4

    private struct State {
        var waiting: [Item] = []
        var inProgress = 0
    }

    private let state = Mutex(State())

    /// Adds a scan to the list, unless the list is full.
    func add(_ item: Item) {
        state.withLock { if $0.waiting.count < Self.capacity { $0.waiting.append(item) } }
    }

    /// Takes the scans that may be canceled now; ``done()`` has to follow each.
    func take() -> [Item] {
        state.withLock { state in
            let count = min(Self.concurrency - state.inProgress, state.waiting.count)
            guard count > 0 else { return [] }
            state.inProgress += count
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
        }
    }

    func done() { state.withLock { $0.inProgress -= 1 } }

    var count: Int { state.withLock { $0.waiting.count } }
}

extension OperationService {
    /// Notes the scan that a transition abandoned, if its provider can cancel it.
    ///
    /// No request is needed for a scan that the provider ended, or that ends with the operation's deadline.
    func noteOrphan(_ event: OperationEvent, from old: Operation, to next: Operation) {
        guard case .pending(let scan) = old.state else { return }
        switch event {
        case .scanStarted, .cancelRequested, .superseded, .numberMismatched, .accountBlocked, .deniedNotMe:
            if case .pending(let current) = next.state, current.reference == scan.reference,
                next.provider == old.provider
            {
                return
            }
            abandon(scan.reference, at: old.provider)
        case .openRequested, .observed, .deadlineReached, .approvalWindowEnded, .redeemRequested, .acknowledged,
            .redemptionWindowEnded, .numberMatched, .returned:
            return
        }
    }

    /// Notes a scan that is not needed, if its provider can cancel it.
    func abandon(_ scan: ProviderReference, at provider: ProviderName) {
        guard providers[provider]?.cancelsScans == true else { return }
        providers.orphanedScans.add(.init(reference: scan, provider: provider))
    }

    /// Cancels a scan at its provider, whose answer changes nothing here.
    func end(_ item: OrphanedScans.Item) async {
        defer { providers.orphanedScans.done() }
        do throws(ProviderError) {
            try await providers[item.provider]?.cancel(item.reference)
        } catch {
            let cause =
                switch error {
                case .unavailable(let cause), .unreached(let cause), .heldBack(let cause), .refused(let cause): cause
                }
            reports.logger.info(
                "an orphaned scan was not ended at the provider",
                metadata: ["provider": "\(item.provider)", "cause": "\(cause)"]
            )
        }
    }
}
