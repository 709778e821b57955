import CoreMetrics
import FaceProviders
import Kernel
import MemoryStore
import Operations
import Testing

/// When a guard tries again, opens the circuit, and closes it.
@Suite(.timeLimit(.minutes(10))) struct GuardedFaceProviderTests {
    @Test func `a call passes through as it is`() async throws {
        let harness = Guarded()
        #expect(await harness.check() == .success(.approved))
        #expect(try await harness.begin().get().reference == ProviderReference("scan-1"))
        #expect(harness.guarded.name == harness.provider.name && harness.guarded.checkConcurrency == 2)
        #expect(harness.guarded.circuit == .closed)
    }

    @Test(arguments: [
        Result<ScanStatus, ProviderError>.failure(.unavailable(cause: "HTTP 503")),
        .failure(.unreached(cause: "no connection")), .success(.nonsense),
    ])
    func `outages and nonsense open the circuit, and then nothing reaches the provider`(
        _ answer: Result<ScanStatus, ProviderError>
    ) async {
        let harness = Guarded()
        harness.provider.answer(with: answer)
        for _ in 0..<3 { #expect(await harness.check() == answer) }
        #expect(harness.guarded.circuit == .open)
        for _ in 0..<100 { #expect(await harness.check() == .failure(.heldBack(cause: "its circuit is open"))) }
        // Checks alone do not tell that nobody can start; the first start that fails does.
        if case .failure = answer {
            guard case .failure = await harness.begin(), case .failure(.heldBack) = await harness.begin() else {
                Issue.record("starts went out")
                return
            }
        }
        #expect(harness.provider.calls == (answer == .success(.nonsense) ? 3 : 4))
        harness.time.advance(by: .seconds(6))
        harness.provider.answer(with: .success(.approved))
        #expect(await harness.check() == .success(.approved), "what was held back counted as no failure")
        #expect(harness.guarded.circuit == .closed)
    }

    // T-259
    @Test(arguments: [
        Result<ScanStatus, ProviderError>.failure(.refused(cause: "HTTP 409 E_LOCKED")),
        .success(.rejected(.notMatched)), .success(.unknownReference), .success(.broken),
        .success(.pending(.processing)), .success(.unrecognised),
    ])
    func `attack: a provider's answers about people never open the circuit`(
        _ answer: Result<ScanStatus, ProviderError>
    ) async {
        let harness = Guarded()
        harness.provider.answer(with: answer)
        for _ in 0..<50 { #expect(await harness.check() == answer) }
        #expect(harness.guarded.circuit == .closed && harness.provider.calls == 50)
        #expect(harness.log.lines.isEmpty)
    }

    @Test func `a failed check is tried again, a failed start never`() async {
        let harness = Guarded(Guarded.policy(retries: 3, failures: 100))
        harness.provider.answer(with: .failure(.unavailable(cause: "down")))
        // The jitter of this time's environment is none, so that a retry follows at once.
        #expect(await harness.check() == .failure(.unavailable(cause: "down")))
        #expect(harness.provider.calls == 4 && harness.guarded.retryCount == 3)
        _ = await harness.begin()
        #expect(harness.provider.calls == 5)
        harness.provider.answer(with: .failure(.refused(cause: "no")))
        _ = await harness.check()
        #expect(harness.provider.calls == 6, "a refusal is an answer")
        harness.provider.answer(with: .success(.unrecognised))
        _ = await harness.check()
        #expect(harness.provider.calls == 7)
    }

    @Test func `retries end when the circuit opens, and a probe is never repeated`() async {
        let harness = Guarded(Guarded.policy(retries: 5))
        harness.provider.answer(with: .failure(.unavailable(cause: "down")))
        _ = await harness.check()
        #expect(harness.provider.calls == 3 && harness.guarded.circuit == .open)
        harness.time.advance(by: .seconds(6))
        #expect(harness.guarded.circuit == .halfOpen)
        _ = await harness.check()
        #expect(harness.provider.calls == 4 && harness.guarded.circuit == .open)
    }

    // T-259
    @Test func `attack: of a thousand concurrent calls at the end of a pause one reaches the provider`() async {
        let harness = Guarded(checkConcurrency: 1000)
        await harness.open()
        let before = harness.provider.calls
        harness.time.advance(by: .seconds(6))
        harness.provider.hold()
        harness.provider.answer(with: .success(.approved))
        await withTaskGroup(of: Result<ScanStatus, ProviderError>.self) { group in
            for _ in 0..<1000 { group.addTask { await harness.check() } }
            var heldBack = 0
            while heldBack < 999, let next = await group.next() {
                if case .failure(.heldBack) = next { heldBack += 1 }
            }
            #expect(heldBack == 999 && harness.provider.calls == before + 1)
            harness.provider.letGo()
            #expect(await group.next() == .success(.approved))
        }
        #expect(harness.guarded.circuit == .closed)
    }

    @Test func `a provider that starts no scans is asked about those in progress, with retries`() async {
        let harness = Guarded(Guarded.policy(retries: 1))
        harness.provider.answer(with: .failure(.unavailable(cause: "no starts")))
        for _ in 0..<3 { _ = await harness.begin() }
        #expect(await harness.begin() == .failure(.heldBack(cause: "its circuit is open")))
        let before = harness.provider.calls
        _ = await harness.check()
        #expect(harness.provider.calls == before + 2, "tried again, as ever")
        harness.provider.answer(with: .success(.approved))
        #expect(await harness.check() == .success(.approved))
        #expect(
            await harness.begin() == .failure(.heldBack(cause: "its circuit is open")),
            "so that a standby is asked"
        )
        harness.time.advance(by: .seconds(6))
        #expect(await harness.begin() == .success(HandedProvider.scan))
        #expect(harness.guarded.circuit == .closed)
    }

    // T-259
    @Test func `attack: cancelled calls do not open the circuit`() async {
        let harness = Guarded()
        for _ in 0..<20 {
            harness.provider.hold()
            let visitor = Task { await harness.begin() }
            await until { harness.provider.heldCount == 1 }
            visitor.cancel()
            guard case .failure(.unavailable) = await visitor.value else {
                Issue.record("not given up")
                return
            }
        }
        #expect(harness.guarded.circuit == .closed)
        #expect(await harness.check() == .success(.approved))
    }

    @Test func `opening and closing are logged once each`() async {
        let harness = Guarded()
        await harness.open()
        for _ in 0..<50 { _ = await harness.check() }
        harness.time.advance(by: .seconds(6))
        harness.provider.answer(with: .success(.approved))
        for _ in 0..<50 { _ = await harness.check() }
        #expect(harness.log.text.split(separator: "\n").count == 2)
        #expect(harness.log.text.contains("circuit is open") && harness.log.text.contains("circuit is closed"))
    }

    @Test func `a final check that is answered while the circuit is open is logged as its end`() async throws {
        let harness = Guarded()
        await harness.open()
        harness.provider.answer(with: .success(.approved))
        let turn = CheckTurn(.final, end: harness.time.now + .seconds(9))
        let status = try await harness.guarded.check(ProviderReference("scan-1"), as: turn)
        #expect(status == .approved)
        #expect(harness.log.text.contains("circuit is closed"), "\(harness.log.text)")
    }

    @Test func `an adapter's declarations are passed on by all wrappers around it`() {
        for returns in [true, false] {
            let harness = Guarded(returnsToUs: returns)
            let measured = MeasuredFaceProvider(
                harness.guarded,
                clock: harness.time,
                factory: NOOPMetricsHandler.instance
            )
            #expect(harness.guarded.returnsToUs == returns && measured.returnsToUs == returns)
        }
    }

    @Test func `being measured hides no circuit`() async {
        let harness = Guarded()
        let measured = MeasuredFaceProvider(harness.guarded, clock: harness.time, factory: NOOPMetricsHandler.instance)
        #expect(measured.circuit == .closed)
        await harness.open()
        #expect(measured.circuit == .open)
        #expect(
            MeasuredFaceProvider(harness.provider, clock: harness.time, factory: NOOPMetricsHandler.instance).circuit
                == nil
        )
    }
}
