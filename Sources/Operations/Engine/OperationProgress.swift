package import Kernel
import Synchronization

/// The last exchange with a provider about an operation's scan.
///
/// Kept in memory only: after a restart it is missing until the provider is called again.
package struct ProviderExchange: Sendable, Equatable {
    package let provider: ProviderName
    package let at: Instant
    package let outcome: Outcome
    /// The result, as the log words it.
    package let detail: String

    package enum Outcome: String, Sendable, CaseIterable {
        /// The provider began the scan.
        case started
        /// The provider answered a check.
        case answered
        /// The provider's answer to a check said nothing about the scan.
        case unreadable
        /// The provider did not answer.
        case silent
        /// The provider was not called: its circuit is open, or too many calls are waiting.
        case heldBack = "held_back"
        /// The provider refused.
        case refused
    }
}

/// What an operation is waiting for, as an operator sees it.
package struct OperationProgress: Sendable, Equatable {
    package enum Cause: String, Sendable, CaseIterable {
        case personOpensLink = "person_opens_link"
        case scanStarts = "scan_starts"
        case personScans = "person_scans"
        case providerJudges = "provider_judges"
        case providerAnswers = "provider_answers"
        case clientCollects = "client_collects"
        case clientAcknowledges = "client_acknowledges"
    }

    /// `nil` once the operation has ended.
    package let waitsFor: Cause?
    package let lastExchange: ProviderExchange?
    /// `nil` for a provider that has no circuit breaker, or that is no longer in the config.
    package let circuit: ProviderCircuit?
    package let isProviderHealthy: Bool
    /// The time until the engine's next check; `nil` if none is planned.
    package let nextLook: Duration?
}

extension OperationService {
    /// Returns what the operation is waiting for.
    package func progress(of operation: Operation) -> OperationProgress {
        let card = cache.card(operation.credentials.publicID)
        let current = card?.operation ?? operation
        let provider = current.provider
        return OperationProgress(
            waitsFor: current.cause(lastContact: card?.lastContact ?? .answered),
            lastExchange: cache.lastExchange(operation.credentials.publicID),
            circuit: providers[provider]?.circuit,
            isProviderHealthy: !providers.health.isDegraded(provider),
            nextLook: current.state.isTerminal
                ? nil
                : watch.schedule.due(operation.credentials.publicID).map { max(.zero, $0 - environment.clock.now) }
        )
    }

    /// Keeps an exchange with a provider about an operation, for operators who ask what it is waiting for.
    func keep(_ outcome: ProviderExchange.Outcome, _ detail: String, of provider: ProviderName, about id: Digest256) {
        let exchange = ProviderExchange(provider: provider, at: clock.now, outcome: outcome, detail: detail)
        if cache.keep(exchange, about: id) { watch.exchanges.add(exchange, about: id) }
    }
}

extension ProviderExchange {
    /// Whether it says nothing that the previous one did not.
    fileprivate func repeats(_ previous: ProviderExchange) -> Bool {
        (provider, outcome, detail) == (previous.provider, previous.outcome, previous.detail)
    }
}

extension Operation {
    fileprivate func cause(lastContact: ProviderContact) -> OperationProgress.Cause? {
        switch state {
        case .created: .personOpensLink
        case .opened: .scanStarts
        case .pending(let scan):
            switch lastContact {
            case .failed, .refused: .providerAnswers
            case .answered: scan.progress == .processing ? .providerJudges : .personScans
            }
        case .approved: .clientCollects
        case .redeemed: .clientAcknowledges
        case .closed, .failed: nil
        }
    }
}

extension OperationCache {
    /// Keeps the last exchange about a live operation; returns whether it says something new.
    ///
    /// An outage holds thousands of checks back in a second, none of which says anything new.
    func keep(_ exchange: ProviderExchange, about publicID: Digest256) -> Bool {
        shard(publicID).entries.withLock { entries in
            guard let entry = entries[publicID] else { return false }
            // A check's result says more than a check that was held back, which the circuit's state shows anyway.
            let last = entry.lastExchange
            if exchange.outcome == .heldBack, let last, last.outcome != .started, last.outcome != .heldBack {
                return false
            }
            entry.lastExchange = exchange
            return last.map { !exchange.repeats($0) } ?? true
        }
    }

    func lastExchange(_ publicID: Digest256) -> ProviderExchange? {
        shard(publicID).entries.withLock { $0[publicID]?.lastExchange }
    }
}
