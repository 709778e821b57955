import CoreMetrics
import FaceProviders
import Kernel
import MemoryStore
import Operations
import Testing

/// A guard over a provider that the test answers for, in virtual time.
private struct Guarded {
    let time = VirtualTime()
    let provider: HandedProvider
    let guarded: GuardedFaceProvider
    let log = LogRecorder()
    /// The daemons that share the provider's slots.
    let peers = CountedPeers(1)

    init(_ policy: GuardPolicy = Self.policy(), checkConcurrency: Int = 2, returnsToUs: Bool = false) {
        provider = HandedProvider(checkConcurrency: checkConcurrency, returnsToUs: returnsToUs)
        guarded = GuardedFaceProvider(
            provider,
            policy,
            environment: time.environment,
            logger: log.logger,
            daemons: { [peers] in peers.count }
        )
    }

    static func policy(retries: Int = 0, queued: Int = 2, failures: Int = 3) -> GuardPolicy {
        GuardPolicy(
            callTimeout: .seconds(20),
            retries: retries,
            concurrentStarts: 2,
            queued: queued,
            circuit: .init(failures: failures, pause: .seconds(5))
        )
    }

    func check() async -> Result<ScanStatus, ProviderError> {
        do throws(ProviderError) {
            return .success(try await guarded.check(ProviderReference("scan-1")))
        } catch {
            return .failure(error)
        }
    }

    /// Returns a check that has to be over by then.
    func check(within time: Duration) async -> Result<ScanStatus, ProviderError> {
        let turn = CheckTurn(.long, end: self.time.environment.clock.now + time)
        do throws(ProviderError) {
            return .success(try await guarded.check(ProviderReference("scan-1"), as: turn))
        } catch {
            return .failure(error)
        }
    }

    func begin() async -> Result<StartedScan, ProviderError> {
        do throws(ProviderError) {
            return .success(try await guarded.begin(ScanRequest(enrolment: "x", timeLeft: .seconds(100))))
        } catch {
            return .failure(error)
        }
    }

    func cancel() async -> ProviderError? {
        do throws(ProviderError) {
            try await guarded.cancel(ProviderReference("scan-1"))
            return nil
        } catch {
            return error
        }
    }

    func open() async {
        provider.answer(with: .failure(.unavailable(cause: "down")))
        while guarded.circuit == .closed, !Task.isCancelled { _ = await check() }
    }
}

private func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}

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

    @Test func `the calls at one time are divided by the number of daemons, which is read at each call`() async {
        let harness = Guarded(Guarded.policy(queued: 100), checkConcurrency: 9)
        #expect(harness.guarded.checkConcurrency == 9)
        harness.peers.count = 3
        #expect(harness.guarded.checkConcurrency == 3)
        harness.provider.hold()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { #expect(await harness.check() == .success(.approved)) } }
            await until { harness.provider.heldCount == 3 }
            for _ in 0..<100 { await Task.yield() }
            #expect(harness.provider.mostAtOnce == 3)
            harness.provider.letGo()
        }
        #expect(harness.provider.mostAtOnce == 3 && harness.provider.calls == 20)
        harness.peers.count = 100
        #expect(harness.guarded.checkConcurrency == 1, "each daemon has at least one")
        #expect(await harness.check() == .success(.approved))
        harness.peers.count = 2
        harness.provider.hold()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { #expect(await harness.begin() == .success(HandedProvider.scan)) } }
            await until { harness.provider.heldCount == 1 }
            for _ in 0..<100 { await Task.yield() }
            #expect(harness.provider.heldCount == 1)
            // The second slot is free from the next call that ends.
            harness.peers.count = 1
            harness.provider.letGo()
        }
        #expect(harness.provider.calls == 41)
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

    // T-245
    @Test func `checks and starts have places of their own, a line of its length, and the rest is held back`() async {
        let harness = Guarded()
        harness.provider.hold()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<7 {
                group.addTask { if case .failure(.heldBack) = await harness.check() { true } else { false } }
            }
            for _ in 0..<7 {
                group.addTask { if case .failure(.heldBack) = await harness.begin() { true } else { false } }
            }
            var heldBack = 0
            while heldBack < 6, let next = await group.next() { heldBack += next ? 1 : 0 }
            await until { harness.provider.heldCount == 4 }
            #expect(harness.provider.calls == 4)
            harness.provider.letGo()
            for await wasHeldBack in group { #expect(!wasHeldBack) }
        }
        #expect(harness.provider.calls == 8 && harness.provider.mostAtOnce == 4)
        #expect(harness.guarded.circuit == .closed, "the server's own crowd does not count against the provider")
        #expect(await harness.check() == .success(.approved), "all places were given back")
    }

    @Test func `a call that hangs ends in time and counts as a failure`() async {
        let harness = Guarded()
        harness.provider.hold()
        for number in 1...3 {
            async let hanging = harness.check()
            await until { harness.provider.heldCount == 1 }
            harness.time.advance(by: .seconds(20))
            #expect(await hanging == .failure(.unavailable(cause: "the call took too long or was cancelled")))
            #expect(harness.guarded.circuit == (number == 3 ? .open : .closed))
            harness.provider.hold()
        }
    }

    @Test func `a check that its login's deadline cut short counts as no failure`() async {
        let harness = Guarded()
        for (milliseconds, count) in [(1500, 5), (2000, 3)] {
            #expect(harness.guarded.circuit == .closed)
            for _ in 0..<count {
                harness.provider.hold()
                async let hanging = harness.check(within: .milliseconds(milliseconds))
                await until { harness.provider.heldCount == 1 && harness.time.sleeperCount == 1 }
                harness.time.advance(by: .milliseconds(milliseconds))
                #expect(await hanging == .failure(.unavailable(cause: "the call took too long or was cancelled")))
            }
        }
        #expect(harness.guarded.circuit == .open, "as long as a probe: that is a failure")
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

    @Test func `ending scans that hangs ends in time, takes few places and nobody else's, and opens no circuit`() async
    {
        let harness = Guarded()
        harness.provider.hold()
        await withTaskGroup(of: ProviderError?.self) { group in
            // Four are in progress, two wait, and one is too many.
            for _ in 0..<7 { group.addTask { await harness.cancel() } }
            let first = await group.next() ?? nil
            #expect(first == .heldBack(cause: "too many calls wait for it"))
            await until { harness.provider.heldCount == 4 && harness.time.sleeperCount == 6 }
            #expect(harness.provider.calls == 4)
            async let check = harness.check()
            await until { harness.provider.heldCount == 5 }
            harness.time.advance(by: .seconds(20))
            var ended = 0
            for await _ in group { ended += 1 }
            #expect(ended == 6)
            _ = await check
        }
        #expect(harness.guarded.circuit == .closed)
        #expect(await harness.cancel() == nil, "all places were given back")
        await harness.open()
        #expect(await harness.cancel() == .heldBack(cause: "its circuit is open"))
    }

    @Test func `a call that was given up before it was sent is known not to have been`() async {
        let harness = Guarded()
        harness.provider.hold()
        harness.provider.fall(silent: .unreached(cause: "waiting for a token"))
        async let start = harness.begin()
        await until { harness.provider.heldCount == 1 }
        harness.time.advance(by: .seconds(20))
        #expect(await start == .failure(.unreached(cause: "the call took too long or was cancelled")))
    }

    @Test func `a call that waits for a slot is held back when its time is up, and takes no slot`() async {
        let harness = Guarded(checkConcurrency: 1)
        harness.provider.hold()
        async let first = harness.check()
        await until { harness.provider.heldCount == 1 }
        harness.time.advance(by: .seconds(10))
        async let second = harness.check()
        // Both sleep until their ends by now, the second in the line.
        await until { harness.time.sleeperCount == 2 }
        harness.time.advance(by: .seconds(10))
        #expect(await first == .failure(.unavailable(cause: "the call took too long or was cancelled")))
        #expect(await second == .success(.approved), "it had time left when the place came free")
        harness.provider.hold()
        async let third = harness.check()
        await until { harness.provider.heldCount == 1 }
        let waiting = Task { await harness.check() }
        await until { harness.time.sleeperCount == 2 }
        waiting.cancel()
        #expect(await waiting.value == .failure(.heldBack(cause: "too many calls wait for it")))
        harness.provider.letGo()
        #expect(await third == .success(.approved))
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
