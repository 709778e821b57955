import Kernel
import Logging
import MemoryStore

@testable import Operations

/// Believes deliveries whose signature is the word “genuine”; what a signature is, is the adapters' matter.
struct SimulatedVerifier: WebhookVerifying {
    func read(_ delivery: WebhookDelivery, at now: Instant) -> WebhookReading {
        guard delivery.header("signature") == ["genuine"] else { return .refused(.forged) }
        return .genuine(
            WebhookNotice(
                event: Digest256(sha256: delivery.header("event").first ?? ""),
                sentAt: nil,
                memorable: .seconds(600),
                reference: ProviderReference(String(decoding: delivery.body, as: UTF8.self))
            )
        )
    }
}

extension History {
    static func intake(
        for service: OperationService,
        environment: Environment,
        providers: [SimulatedProvider]
    ) -> WebhookIntake {
        let verifier: any WebhookVerifying = SimulatedVerifier()
        return WebhookIntake(
            service: service,
            environment: environment,
            verifiers: Dictionary(uniqueKeysWithValues: providers.map { ($0.name, verifier) }),
            decoy: verifier,
            logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// A webhook about some scan comes in: true, for the second time, or forged.
    ///
    /// It changes nothing but when the provider is asked.
    func hook() async {
        guard let reference = fates.keys.sorted(by: { $0.text < $1.text }).randomElement(using: &random) else { return }
        let provider = random.pick(providers).name
        let isForged = random.happens(percent: 25)
        let event = random.happens(percent: 25) ? "the same" : "event \(census.hooks)"
        let before = (disk.tally, service.cache.card(reference: reference, at: provider)?.operation, census.checks)
        let answer = daemons[current].intake.receive(
            WebhookDelivery(body: Array(reference.text.utf8)) { name in
                switch name {
                case "signature": [isForged ? "guessed" : "genuine"]
                case "event": ["\(reference.text) \(event)"]
                default: []
                }
            },
            for: provider
        )
        census.hooks += 1
        note("a \(isForged ? "forged" : "genuine") webhook about \(reference.text), \(event)")
        if answer != (isForged ? .refused(.forged) : .taken) { fail("a webhook was answered \(answer)") }
        let after = (disk.tally, service.cache.card(reference: reference, at: provider)?.operation, census.checks)
        if before != after { fail("a webhook changed something by itself") }
        guard !isForged, event != "the same", let operation = after.1 else { return }
        checkHastened(operation)
    }

    /// The check comes within half a second, unless it is in progress already, or another daemon's.
    private func checkHastened(_ operation: Operation) {
        guard case .pending = operation.state, service.clock.now < operation.validity.deadline,
            !checked.contains(operation.credentials.publicID), depth == 0,
            service.watch.ownership.includes(operation)
        else { return }
        guard let due = watcher.nextDue, due - time.now <= .milliseconds(500) else {
            return fail("a webhook did not bring the check of \(operation.id) forward")
        }
        census.expedited += 1
    }
}
