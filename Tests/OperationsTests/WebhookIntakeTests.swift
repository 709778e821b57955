import Kernel
import Logging
import MemoryStore
import Operations
import StoreContract
import Testing

/// What comes of webhooks: the provider is asked sooner, and nothing else.
@Suite struct WebhookIntakeTests {
    /// Believes what its one header says; what a signature is, is the adapters' matter.
    private struct TrustingVerifier: WebhookVerifying {
        func read(_ delivery: WebhookDelivery, at now: Instant) -> WebhookReading {
            let words = delivery.header("notice").first?.split(separator: " ") ?? []
            guard words.count == 3 else { return .refused(words.isEmpty ? .unsigned : .forged) }
            return .genuine(
                WebhookNotice(
                    event: Digest256(sha256: words[0]),
                    sentAt: Int64(words[1]).map { Instant(seconds: $0) },
                    memorable: .seconds(600),
                    reference: words[2] == "-" ? nil : ProviderReference(String(words[2]))
                )
            )
        }
    }

    private let harness: Harness
    private let intake: WebhookIntake

    init() {
        // Nobody polls: a check is due every ten minutes, unless a webhook brings one forward.
        self.init(Harness(cadence: WatchCadence(hot: .seconds(600), cold: .seconds(600))))
    }

    private init(_ harness: Harness) {
        self.harness = harness
        intake = WebhookIntake(
            service: harness.service,
            environment: harness.environment,
            verifiers: [harness.provider.name: TrustingVerifier()],
            decoy: TrustingVerifier(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @discardableResult
    private func send(
        _ event: String,
        about reference: ProviderReference?,
        sentAt: Int64 = 1,
        to provider: String? = nil
    ) -> WebhookIntake.Answer {
        let text = "\(event) \(sentAt) \(reference?.text ?? "-")"
        return intake.receive(
            WebhookDelivery(body: []) { $0 == "notice" ? [text] : [] },
            for: provider.map { ProviderName($0) } ?? harness.provider.name
        )
    }

    private func count(_ outcome: WebhookOutcome) -> Int {
        intake.counts.snapshot[harness.provider.name]?[outcome] ?? 0
    }

    @Test func `a webhook brings its scan's check forward, and the check's answer decides`() async throws {
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        harness.provider.answer(reference, .approved)
        await harness.pass(.seconds(20))
        #expect(try harness.state(of: login).name == .pending, "nobody has asked yet")
        #expect(send("e1", about: reference) == .taken)
        #expect(try harness.state(of: login).name == .pending, "a webhook is no verdict")
        await harness.pass(.milliseconds(100))
        #expect(try harness.state(of: login).name == .approved)
        #expect(harness.provider.checkCount == 1)
        #expect(count(.hinted) == 1)
    }

    @Test func `the loop asks at once about what a webhook is about, and not with its next beat`() async throws {
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        harness.provider.answer(reference, .approved)
        let loop = Task { await harness.watcher.run() }
        // The tick sleeps for 50 ms, and the listener to hints for 10 ms after a first check.
        await until { harness.time.sleeperCount == 2 }
        #expect(send("e1", about: reference) == .taken)
        harness.time.advance(by: .milliseconds(10))
        await until { (try? harness.state(of: login).name) == .approved }
        #expect(harness.provider.checkCount == 1)
        loop.cancel()
        await loop.value
    }

    // T-057
    @Test func `a webhook that says approved does not approve while the check says pending`() async throws {
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        send("approved", about: reference)
        await harness.pass(.seconds(5))
        #expect(try harness.state(of: login).name == .pending, "the provider says pending")
    }

    // T-058
    @Test func `a repeated webhook event causes one check and is counted as a duplicate`() async throws {
        let reference = try await harness.open(try await harness.begin())
        for _ in 0..<5 { #expect(send("e1", about: reference) == .taken) }
        await harness.pass(.seconds(2))
        #expect(harness.provider.checkCount == 1)
        #expect(count(.duplicate) == 4)
    }

    // T-249
    @Test func `attack: refused webhooks are counted in one audit row a minute`() async throws {
        let reference = try await harness.open(try await harness.begin())
        for _ in 0..<1000 { _ = intake.receive(WebhookDelivery(body: []) { _ in [] }, for: harness.provider.name) }
        for _ in 0..<3 { send("e1", about: reference, sentAt: 2) }
        send("e2", about: reference, sentAt: 1)
        send("e3", about: reference, to: "nobody")
        intake.noteOversized(for: harness.provider.name)
        harness.time.advance(by: .seconds(61))
        try await harness.service.refusals.flush()
        #expect(harness.audited(.tally).count == 1)
        let counts = harness.lastTally.filter { $0.key.hasPrefix("webhook.") }
        #expect(
            counts == [
                "webhook.unsigned": 1000, "webhook.duplicate": 2, "webhook.reordered": 1, "webhook.unknown_provider": 1,
                "webhook.oversized": 1,
            ]
        )
    }

    // T-058
    @Test func `an event is remembered as long as it could pass for fresh`() {
        let memory = WebhookMemoryProbe()
        #expect(memory.admit("e1", at: .zero))
        #expect(!memory.admit("e1", at: .seconds(599)))
        #expect(memory.admit("e1", at: .seconds(600)))
    }

    // T-249
    @Test func `checks that webhooks bring about are half a second apart at least`() async throws {
        let reference = try await harness.open(try await harness.begin())
        var number = 0
        for _ in 0..<100 {
            number += 1
            send("e\(number)", about: reference, sentAt: Int64(number))
            await harness.pass(.milliseconds(50))
        }
        #expect((9...11).contains(harness.provider.checkCount), "\(harness.provider.checkCount) in five seconds")
        #expect(count(.absorbed) > 80)
        await harness.pass(.seconds(5))
        #expect(harness.provider.checkCount <= 12, "and none after that")
    }

    @Test func `the last of many webhooks still leads to a check`() async throws {
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        send("e1", about: reference, sentAt: 1)
        await harness.pass(.milliseconds(20))
        harness.provider.answer(reference, .approved)
        send("e2", about: reference, sentAt: 2)
        #expect(try harness.state(of: login).name == .pending)
        await harness.pass(.milliseconds(600))
        #expect(try harness.state(of: login).name == .approved)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a webhook during a check leads to a check after it, and no second check runs beside it`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider { call in
            if case .check = call { await gate.pass() }
        }
        let slow = Harness(provider: provider, cadence: WatchCadence(hot: .seconds(600), cold: .seconds(600)))
        let test = WebhookIntakeTests(slow)
        let login = try await slow.begin()
        let reference = try await slow.open(login)
        test.send("e1", about: reference, sentAt: 1)
        async let first: Void = slow.pass(.zero)
        await until { provider.checkCount == 1 }
        slow.time.advance(by: .seconds(1))
        test.send("e2", about: reference, sentAt: 2)
        await slow.pass(.milliseconds(10))
        #expect(provider.checkCount == 1, "one at a time")
        await gate.open()
        await first
        provider.answer(reference, .approved)
        await slow.pass(.milliseconds(100))
        #expect(provider.checkCount == 2)
        #expect(try slow.state(of: login).name == .approved)
    }

    // T-058
    /// Persona's documentation: webhooks may arrive twice and out of order.
    @Test func `a webhook older than the last one is counted as reordered and causes no check`() async throws {
        let reference = try await harness.open(try await harness.begin())
        send("newer", about: reference, sentAt: 20)
        await harness.pass(.seconds(1))
        #expect(send("older", about: reference, sentAt: 10) == .taken)
        await harness.pass(.seconds(5))
        #expect(count(.reordered) == 1)
        #expect(harness.provider.checkCount == 1)
    }

    // T-058
    @Test func `a webhook about a replaced scan is counted as unmatched and causes no check`() async throws {
        let login = try await harness.begin()
        let abandoned = try await harness.open(login, browser: "one")
        let current = try await harness.open(login, browser: "two")
        harness.provider.answer(abandoned, .approved)
        #expect(send("e1", about: abandoned) == .taken)
        await harness.pass(.seconds(5))
        #expect(count(.unmatched) == 1)
        #expect(harness.provider.checkCount == 0)
        #expect(try harness.state(of: login).name == .pending)
        send("e2", about: current)
        #expect(count(.hinted) == 1)
    }

    // T-058
    @Test func `a login that has ended is not woken`() async throws {
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        harness.provider.answer(reference, .rejected(.declined))
        send("e1", about: reference, sentAt: 1)
        await harness.pass(.seconds(1))
        #expect(try harness.state(of: login).name == .failed)
        #expect(send("e2", about: reference, sentAt: 2) == .taken)
        await harness.pass(.seconds(5))
        #expect(count(.unmatched) == 1)
        #expect(harness.provider.checkCount == 1)
    }

    @Test func `another provider's webhook does not reach a scan of that name`() async throws {
        let reference = try await harness.open(try await harness.begin())
        #expect(send("e1", about: reference, to: "stranger") == .unknownProvider)
        #expect(intake.counts.unknownProvider == 1)
        await harness.pass(.seconds(5))
        #expect(harness.provider.checkCount == 0)
    }

    // T-249
    @Test func `what is refused reaches neither the memory nor a login`() async throws {
        let reference = try await harness.open(try await harness.begin())
        let forged = WebhookDelivery(body: []) { $0 == "notice" ? ["forged"] : [] }
        for _ in 0..<3 { #expect(intake.receive(forged, for: harness.provider.name) == .refused(.forged)) }
        let unsigned = WebhookDelivery(body: []) { _ in [] }
        #expect(intake.receive(unsigned, for: harness.provider.name) == .refused(.unsigned))
        #expect(count(.forged) == 3)
        #expect(count(.unsigned) == 1)
        #expect(send("e1", about: reference) == .taken)
        #expect(count(.hinted) == 1, "nobody took its place")
    }

    @Test func `a body without a scan is taken and counted`() {
        #expect(send("ping", about: nil) == .taken)
        #expect(count(.unreadable) == 1)
    }

    // T-249
    @Test(.timeLimit(.minutes(1)))
    func `a webhook is answered at once while the provider's checks hang`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider { call in
            if case .check = call { await gate.pass() }
        }
        let hanging = Harness(provider: provider)
        let test = WebhookIntakeTests(hanging)
        let reference = try await hanging.open(try await hanging.begin())
        test.send("e0", about: reference)
        async let stuck: Void = hanging.pass(.zero)
        await until { provider.checkCount == 1 }
        // Not async: there is nothing in it that could wait.
        for number in 1...1000 { #expect(test.send("e\(number)", about: reference, sentAt: Int64(number)) == .taken) }
        await gate.open()
        await stuck
    }

    @Test func `the index holds the scans in progress and no others`() async throws {
        var references: [ProviderReference] = []
        for number in 0..<20 {
            let login = try await harness.begin()
            references.append(try await harness.open(login, browser: "one"))
            if number.isMultiple(of: 2) { references.append(try await harness.open(login, browser: "two")) }
        }
        #expect(harness.service.cache.referenceCount == 20, "one a login, however often it was started over")
        for reference in references { harness.provider.answer(reference, .rejected(.declined)) }
        await harness.pass(.seconds(181))
        #expect(harness.service.cache.referenceCount == 0)
        #expect(harness.service.cache.count == 20, "ended ones are still in the cache")
    }
}

/// The memory of webhooks, at times that a test says.
private struct WebhookMemoryProbe {
    private let cache = Harness()
    private let intake: WebhookIntake

    private struct Always: WebhookVerifying {
        func read(_ delivery: WebhookDelivery, at now: Instant) -> WebhookReading {
            .genuine(
                WebhookNotice(
                    event: Digest256(sha256: delivery.header("id").first ?? ""),
                    sentAt: nil,
                    memorable: .seconds(600),
                    reference: nil
                )
            )
        }
    }

    private let start: Uptime

    init() {
        intake = WebhookIntake(
            service: cache.service,
            environment: cache.environment,
            verifiers: [cache.provider.name: Always()],
            decoy: Always(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        start = cache.time.now
    }

    /// Whether the event was a new one, that long after the start.
    func admit(_ event: String, at time: Duration) -> Bool {
        cache.time.advance(by: start + time - cache.time.now)
        let before = intake.counts.snapshot[cache.provider.name]?[.duplicate] ?? 0
        _ = intake.receive(WebhookDelivery(body: []) { _ in [event] }, for: cache.provider.name)
        return intake.counts.snapshot[cache.provider.name]?[.duplicate] ?? 0 == before
    }
}
