package import Kernel
package import Logging
import Synchronization

/// Receives webhooks.
///
/// Each one is verified and counts once, and can only cause an earlier check of its scan.
///
/// A webhook's statement about a person is not read. The intake never waits for the database or a provider, so that a
/// sender is always answered at once.
package final class WebhookIntake: Sendable {
    /// The answer to the sender.
    package enum Answer: Sendable, Equatable {
        /// The answer to every genuine webhook, new or not, so that a sender learns nothing about logins.
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

    /// `decoy`: Verifies webhooks of unknown providers without using the result, so that they run the same steps.
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

    /// The names of the providers whose webhooks are received.
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

    /// Counts a webhook whose body was too long to be read.
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
            // Only counts that are powers of two are logged, so that a million refused webhooks do not fill the log.
            guard number & (number - 1) == 0 else { return }
            logger.warning(
                "a webhook was refused: the reason says why",
                metadata: ["provider": "\(provider)", "reason": "\(outcome.rawValue)", "count": "\(number)"]
            )
        }
    }

    private final class Memory: Sendable {
        let state = Mutex(WebhookMemory())
    }
}

extension OperationService {
    /// Brings a scan's next check forward after a provider's hint, and changes nothing else.
    ///
    /// Another daemon may follow the scan, and is told.
    func expedite(_ reference: ProviderReference, at provider: ProviderName) -> WebhookOutcome {
        let scan = OperationCache.key(of: reference, at: provider)
        let outcome = expedite(scan)
        if outcome == .unmatched { ports.feed.announce(.hinted(scan: scan)) }
        return outcome
    }

    /// Brings the next check of a scan forward that is followed here.
    func expedite(_ scan: Digest256) -> WebhookOutcome {
        guard let operation = cache.card(scan: scan)?.operation, watch.ownership.includes(operation),
            case .pending = operation.state, clock.now < operation.validity.deadline
        else { return .unmatched }
        return watch.schedule.hint(operation.credentials.publicID, at: environment.clock.now) ? .hinted : .absorbed
    }
}
