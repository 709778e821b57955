import Kernel
import Logging
import Synchronization

/// Scans that nobody needs any more, to be ended at their providers when there is time for it.
///
/// Best effort: the operation has moved on, and a verdict of such a scan grants nothing whether it is ended or not. What
/// does not fit is left to its own end, and so is what a stop of the daemon leaves behind.
final class OrphanedScans: Sendable {
    struct Item: Sendable, Equatable {
        let reference: ProviderReference
        let provider: ProviderName
    }

    /// Far more than people who give up in one beat; a bound for a provider that hangs.
    static let capacity = 1024
    /// Requests under way at one time, of all providers together.
    static let concurrency = 4

    private struct State {
        var waiting: [Item] = []
        var underWay = 0
    }

    private let state = Mutex(State())

    /// Puts a scan on the list; one too many is dropped.
    func add(_ item: Item) {
        state.withLock { if $0.waiting.count < Self.capacity { $0.waiting.append(item) } }
    }

    /// What may be ended now; each is to be given back to ``done()``.
    func take() -> [Item] {
        state.withLock { state in
            let count = min(Self.concurrency - state.underWay, state.waiting.count)
            guard count > 0 else { return [] }
            state.underWay += count
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
        }
    }

    func done() { state.withLock { $0.underWay -= 1 } }

    var count: Int { state.withLock { $0.waiting.count } }
}

extension OperationService {
    /// Notes the scan that a transition left behind, if its provider can end it.
    ///
    /// One that the provider itself ended, or whose time is over with the operation's, needs no request.
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

    /// Notes a scan that nobody needs, if its provider can end it.
    func abandon(_ scan: ProviderReference, at provider: ProviderName) {
        guard providers[provider]?.cancelsScans == true else { return }
        orphanedScans.add(.init(reference: scan, provider: provider))
    }

    /// Ends one scan at its provider; how that goes changes nothing here.
    func end(_ item: OrphanedScans.Item) async {
        defer { orphanedScans.done() }
        do throws(ProviderError) {
            try await providers[item.provider]?.cancel(item.reference)
        } catch {
            let cause =
                switch error {
                case .unavailable(let cause), .unreached(let cause), .heldBack(let cause), .refused(let cause): cause
                }
            logger.info(
                "a scan that nobody needs was not ended",
                metadata: ["provider": "\(item.provider)", "cause": "\(cause)"]
            )
        }
    }
}
