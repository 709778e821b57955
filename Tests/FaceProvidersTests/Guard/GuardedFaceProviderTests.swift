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

    init(_ policy: GuardPolicy = Self.policy(), checkConcurrency: Int = 2, returnsToUs: Bool = false) {
        provider = HandedProvider(checkConcurrency: checkConcurrency, returnsToUs: returnsToUs)
        guarded = GuardedFaceProvider(provider, policy, environment: time.environment, logger: log.logger)
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
        let bench = Guarded()
        #expect(await bench.check() == .success(.approved))
        #expect(try await bench.begin().get().reference == ProviderReference("scan-1"))
        #expect(bench.guarded.name == bench.provider.name && bench.guarded.checkConcurrency == 2)
        #expect(bench.guarded.circuit == .closed)
    }

    @Test(arguments: [
        Result<ScanStatus, ProviderError>.failure(.unavailable(cause: "HTTP 503")),
        .failure(.unreached(cause: "no connection")), .success(.nonsense),
    ])
    func `outages and nonsense open the circuit, and then nothing reaches the provider`(
        _ answer: Result<ScanStatus, ProviderError>
    ) async {
        let bench = Guarded()
        bench.provider.answer(with: answer)
        for _ in 0..<3 { #expect(await bench.check() == answer) }
        #expect(bench.guarded.circuit == .open)
        for _ in 0..<100 { #expect(await bench.check() == .failure(.heldBack(cause: "its circuit is open"))) }
        // Checks alone do not tell that nobody can start; the first start that fails does.
        if case .failure = answer {
            guard case .failure = await bench.begin(), case .failure(.heldBack) = await bench.begin() else {
                Issue.record("starts went out")
                return
            }
        }
        #expect(bench.provider.calls == (answer == .success(.nonsense) ? 3 : 4))
        bench.time.advance(by: .seconds(6))
        bench.provider.answer(with: .success(.approved))
        #expect(await bench.check() == .success(.approved), "what was held back counted as no failure")
        #expect(bench.guarded.circuit == .closed)
    }

    @Test(arguments: [
        Result<ScanStatus, ProviderError>.failure(.refused(cause: "HTTP 409 E_LOCKED")),
        .success(.rejected(.notMatched)), .success(.unknownReference), .success(.broken),
        .success(.pending(.processing)), .success(.unrecognised),
    ])
    func `attack: a provider's answers about people never open the circuit`(
        _ answer: Result<ScanStatus, ProviderError>
    ) async {
        let bench = Guarded()
        bench.provider.answer(with: answer)
        for _ in 0..<50 { #expect(await bench.check() == answer) }
        #expect(bench.guarded.circuit == .closed && bench.provider.calls == 50)
        #expect(bench.log.lines.isEmpty)
    }

    @Test func `a failed check is tried again, a failed start never`() async {
        let bench = Guarded(Guarded.policy(retries: 3, failures: 100))
        bench.provider.answer(with: .failure(.unavailable(cause: "down")))
        // The jitter of this time's environment is none, so that a retry follows at once.
        #expect(await bench.check() == .failure(.unavailable(cause: "down")))
        #expect(bench.provider.calls == 4 && bench.guarded.retryCount == 3)
        _ = await bench.begin()
        #expect(bench.provider.calls == 5)
        bench.provider.answer(with: .failure(.refused(cause: "no")))
        _ = await bench.check()
        #expect(bench.provider.calls == 6, "a refusal is an answer")
        bench.provider.answer(with: .success(.unrecognised))
        _ = await bench.check()
        #expect(bench.provider.calls == 7)
    }

    @Test func `retries end when the circuit opens, and a probe is never repeated`() async {
        let bench = Guarded(Guarded.policy(retries: 5))
        bench.provider.answer(with: .failure(.unavailable(cause: "down")))
        _ = await bench.check()
        #expect(bench.provider.calls == 3 && bench.guarded.circuit == .open)
        bench.time.advance(by: .seconds(6))
        #expect(bench.guarded.circuit == .halfOpen)
        _ = await bench.check()
        #expect(bench.provider.calls == 4 && bench.guarded.circuit == .open)
    }

    @Test func `attack: a thousand callers at the end of a pause are one call`() async {
        let bench = Guarded(checkConcurrency: 1000)
        await bench.open()
        let before = bench.provider.calls
        bench.time.advance(by: .seconds(6))
        bench.provider.hold()
        bench.provider.answer(with: .success(.approved))
        await withTaskGroup(of: Result<ScanStatus, ProviderError>.self) { group in
            for _ in 0..<1000 { group.addTask { await bench.check() } }
            var heldBack = 0
            while heldBack < 999, let next = await group.next() {
                if case .failure(.heldBack) = next { heldBack += 1 }
            }
            #expect(heldBack == 999 && bench.provider.calls == before + 1)
            bench.provider.letGo()
            #expect(await group.next() == .success(.approved))
        }
        #expect(bench.guarded.circuit == .closed)
    }

    @Test func `checks and starts have places of their own, a line of its length, and the rest is held back`() async {
        let bench = Guarded()
        bench.provider.hold()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<7 {
                group.addTask { if case .failure(.heldBack) = await bench.check() { true } else { false } }
            }
            for _ in 0..<7 {
                group.addTask { if case .failure(.heldBack) = await bench.begin() { true } else { false } }
            }
            var heldBack = 0
            while heldBack < 6, let next = await group.next() { heldBack += next ? 1 : 0 }
            await until { bench.provider.heldCount == 4 }
            #expect(bench.provider.calls == 4)
            bench.provider.letGo()
            for await wasHeldBack in group { #expect(!wasHeldBack) }
        }
        #expect(bench.provider.calls == 8 && bench.provider.mostAtOnce == 4)
        #expect(bench.guarded.circuit == .closed, "the server's own crowd does not count against the provider")
        #expect(await bench.check() == .success(.approved), "all places were given back")
    }

    @Test func `a call that hangs ends in time and counts as a failure`() async {
        let bench = Guarded()
        bench.provider.hold()
        for number in 1...3 {
            async let hanging = bench.check()
            await until { bench.provider.heldCount == 1 }
            bench.time.advance(by: .seconds(20))
            #expect(await hanging == .failure(.unavailable(cause: "the call was given up")))
            #expect(bench.guarded.circuit == (number == 3 ? .open : .closed))
            bench.provider.hold()
        }
    }

    @Test func `a check that its login's deadline cut short counts as no failure`() async {
        let bench = Guarded()
        for (milliseconds, count) in [(1500, 5), (2000, 3)] {
            #expect(bench.guarded.circuit == .closed)
            for _ in 0..<count {
                bench.provider.hold()
                async let hanging = bench.check(within: .milliseconds(milliseconds))
                await until { bench.provider.heldCount == 1 && bench.time.sleeperCount == 1 }
                bench.time.advance(by: .milliseconds(milliseconds))
                #expect(await hanging == .failure(.unavailable(cause: "the call was given up")))
            }
        }
        #expect(bench.guarded.circuit == .open, "as long as a probe: that is a failure")
    }

    @Test func `a provider that starts no scans is asked about those in progress, with retries`() async {
        let bench = Guarded(Guarded.policy(retries: 1))
        bench.provider.answer(with: .failure(.unavailable(cause: "no starts")))
        for _ in 0..<3 { _ = await bench.begin() }
        #expect(await bench.begin() == .failure(.heldBack(cause: "its circuit is open")))
        let before = bench.provider.calls
        _ = await bench.check()
        #expect(bench.provider.calls == before + 2, "tried again, as ever")
        bench.provider.answer(with: .success(.approved))
        #expect(await bench.check() == .success(.approved))
        #expect(await bench.begin() == .failure(.heldBack(cause: "its circuit is open")), "so that a standby is asked")
        bench.time.advance(by: .seconds(6))
        #expect(await bench.begin() == .success(HandedProvider.scan))
        #expect(bench.guarded.circuit == .closed)
    }

    @Test func `ending scans that hangs ends in time, takes few places and nobody else's, and opens no circuit`() async
    {
        let bench = Guarded()
        bench.provider.hold()
        await withTaskGroup(of: ProviderError?.self) { group in
            // Four are in progress, two wait, and one is too many.
            for _ in 0..<7 { group.addTask { await bench.cancel() } }
            let first = await group.next() ?? nil
            #expect(first == .heldBack(cause: "too many calls wait for it"))
            await until { bench.provider.heldCount == 4 && bench.time.sleeperCount == 6 }
            #expect(bench.provider.calls == 4)
            async let check = bench.check()
            await until { bench.provider.heldCount == 5 }
            bench.time.advance(by: .seconds(20))
            var ended = 0
            for await _ in group { ended += 1 }
            #expect(ended == 6)
            _ = await check
        }
        #expect(bench.guarded.circuit == .closed)
        #expect(await bench.cancel() == nil, "all places were given back")
        await bench.open()
        #expect(await bench.cancel() == .heldBack(cause: "its circuit is open"))
    }

    @Test func `a call that was given up before it was sent is known not to have been`() async {
        let bench = Guarded()
        bench.provider.hold()
        bench.provider.fall(silent: .unreached(cause: "waiting for a token"))
        async let start = bench.begin()
        await until { bench.provider.heldCount == 1 }
        bench.time.advance(by: .seconds(20))
        #expect(await start == .failure(.unreached(cause: "the call was given up")))
    }

    @Test func `a call that waits for a slot is held back when its time is up, and takes no slot`() async {
        let bench = Guarded(checkConcurrency: 1)
        bench.provider.hold()
        async let first = bench.check()
        await until { bench.provider.heldCount == 1 }
        bench.time.advance(by: .seconds(10))
        async let second = bench.check()
        // Both sleep until their ends by now, the second in the line.
        await until { bench.time.sleeperCount == 2 }
        bench.time.advance(by: .seconds(10))
        #expect(await first == .failure(.unavailable(cause: "the call was given up")))
        #expect(await second == .success(.approved), "it had time left when the place came free")
        bench.provider.hold()
        async let third = bench.check()
        await until { bench.provider.heldCount == 1 }
        let waiting = Task { await bench.check() }
        await until { bench.time.sleeperCount == 2 }
        waiting.cancel()
        #expect(await waiting.value == .failure(.heldBack(cause: "too many calls wait for it")))
        bench.provider.letGo()
        #expect(await third == .success(.approved))
    }

    @Test func `attack: browsers that go away in the middle open no circuit`() async {
        let bench = Guarded()
        for _ in 0..<20 {
            bench.provider.hold()
            let visitor = Task { await bench.begin() }
            await until { bench.provider.heldCount == 1 }
            visitor.cancel()
            guard case .failure(.unavailable) = await visitor.value else {
                Issue.record("not given up")
                return
            }
        }
        #expect(bench.guarded.circuit == .closed)
        #expect(await bench.check() == .success(.approved))
    }

    @Test func `opening and closing are logged once each`() async {
        let bench = Guarded()
        await bench.open()
        for _ in 0..<50 { _ = await bench.check() }
        bench.time.advance(by: .seconds(6))
        bench.provider.answer(with: .success(.approved))
        for _ in 0..<50 { _ = await bench.check() }
        #expect(bench.log.text.split(separator: "\n").count == 2)
        #expect(bench.log.text.contains("circuit is open") && bench.log.text.contains("circuit is closed"))
    }

    @Test func `a final check that is answered while the circuit is open is logged as its end`() async throws {
        let bench = Guarded()
        await bench.open()
        bench.provider.answer(with: .success(.approved))
        let turn = CheckTurn(.final, end: bench.time.now + .seconds(9))
        let status = try await bench.guarded.check(ProviderReference("scan-1"), as: turn)
        #expect(status == .approved)
        #expect(bench.log.text.contains("circuit is closed"), "\(bench.log.text)")
    }

    @Test func `an adapter's declarations are passed on by all wrappers around it`() {
        for returns in [true, false] {
            let bench = Guarded(returnsToUs: returns)
            let measured = MeasuredFaceProvider(bench.guarded, clock: bench.time, factory: NOOPMetricsHandler.instance)
            #expect(bench.guarded.returnsToUs == returns && measured.returnsToUs == returns)
        }
    }

    @Test func `being measured hides no circuit`() async {
        let bench = Guarded()
        let measured = MeasuredFaceProvider(bench.guarded, clock: bench.time, factory: NOOPMetricsHandler.instance)
        #expect(measured.circuit == .closed)
        await bench.open()
        #expect(measured.circuit == .open)
        #expect(
            MeasuredFaceProvider(bench.provider, clock: bench.time, factory: NOOPMetricsHandler.instance).circuit == nil
        )
    }
}
