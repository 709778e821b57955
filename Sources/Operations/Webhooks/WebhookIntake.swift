package import Kernel
package import Logging
import Synchronization

/// Takes webhooks in: verified, each once, and never more than a reason to ask the provider now.
///
/// What a webhook says about a person is not read. Nothing here waits, neither for the store nor for a provider, so
/// that a sender is answered at once whatever they do.
package final class WebhookIntake: Sendable {
    /// What the sender is told.
    package enum Answer: Sendable, Equatable {
        /// The same for news, repetitions, and scans that are none of ours: a sender learns nothing about logins.
        case taken
        case refused(WebhookError)
        case unknownProvider
    }

    package let counts = WebhookCounts()
    private let service: OperationService
    private let environment: Environment
    private let verifiers: [ProviderName: any WebhookVerifying]
    private let decoy: any WebhookVerifying
    private let memories: [ProviderName: Memory]
    private let logger: Logger

    /// `decoy`: verifies in vain what is sent to a provider that there is not, so that both take the same steps.
    package init(
        service: OperationService,
        environment: Environment,
        verifiers: [ProviderName: any WebhookVerifying],
        decoy: any WebhookVerifying,
        logger: Logger
    ) {
        self.service = service
        self.environment = environment
        self.verifiers = verifiers
        self.decoy = decoy
        self.logger = logger
        memories = verifiers.mapValues { _ in Memory() }
    }

    /// Those whose webhooks are taken, by name.
    package var providers: [ProviderName] { verifiers.keys.sorted { $0.text < $1.text } }

    package func receive(_ delivery: WebhookDelivery, for provider: ProviderName) -> Answer {
        let reading = (verifiers[provider] ?? decoy).read(delivery, at: environment.now())
        guard let memory = memories[provider] else {
            countUnknown()
            return .unknownProvider
        }
        switch reading {
        case .refused(let refusal):
            count(WebhookOutcome(refusal), provider)
            return .refused(refusal)
        case .genuine(let notice):
            count(take(notice, of: provider, memory), provider)
            return .taken
        }
    }

    /// A body that was too long to be read.
    package func noteOversized(for provider: ProviderName) {
        guard verifiers[provider] != nil else { return countUnknown() }
        count(.oversized, provider)
    }

    private func take(_ notice: WebhookNotice, of provider: ProviderName, _ memory: Memory) -> WebhookOutcome {
        let now = environment.clock.now
        return memory.state.withLock { state -> WebhookOutcome? in
            guard state.admit(notice.event, for: notice.memorable, at: now) else { return .duplicate }
            guard let reference = notice.reference else { return .unreadable }
            guard let sentAt = notice.sentAt else { return nil }
            let scan = OperationCache.key(of: reference, at: provider)
            return state.isOvertaken(scan, sentAt, for: notice.memorable, at: now) ? .reordered : nil
        } ?? notice.reference.map { service.expedite($0, at: provider) } ?? .unreadable
    }

    private func countUnknown() {
        counts.addUnknown()
        service.refusals.count(.unknownWebhook)
    }

    private func count(_ outcome: WebhookOutcome, _ provider: ProviderName) {
        let number = counts.add(outcome, provider)
        service.refusals.count(outcome)
        switch outcome {
        case .hinted, .absorbed, .duplicate, .reordered, .unmatched: return
        case .unreadable, .unsigned, .malformed, .forged, .stale, .oversized:
            // The first, and then ever fewer: whoever sends a million of them does not fill the log.
            guard number & (number - 1) == 0 else { return }
            logger.warning(
                "a webhook was refused",
                metadata: ["provider": "\(provider)", "reason": "\(outcome.rawValue)", "count": "\(number)"]
            )
        }
    }

    private final class Memory: Sendable {
        let state = Mutex(WebhookMemory())
    }
}

extension OperationService {
    /// The provider says that there is news about a scan: its check is brought forward.
    ///
    /// Changes nothing but when the provider is asked.
    func expedite(_ reference: ProviderReference, at provider: ProviderName) -> WebhookOutcome {
        guard let operation = cache.card(reference: reference, at: provider)?.operation,
            case .pending = operation.state, clock.now < operation.deadline
        else { return .unmatched }
        return schedule.hint(operation.publicID, at: environment.clock.now) ? .hinted : .absorbed
    }
}
