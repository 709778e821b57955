import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Operations

@Suite(.timeLimit(.minutes(1))) struct WatcherTests {
    @Test func `a scan is checked about every five seconds, and about every second while its client polls`()
        async throws
    {
        let harness = Harness()
        let login = try await harness.begin()
        try await harness.open(login)
        await harness.pass(.seconds(60))
        #expect((10...14).contains(harness.provider.checkCount))
        let before = harness.provider.checkCount
        for _ in 0..<15 {
            _ = try await harness.poll(login)
            await harness.pass(.seconds(2))
        }
        #expect((26...36).contains(harness.provider.checkCount - before))
    }

    // T-237
    @Test func `ten callers cost no more checks than one`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        try await harness.open(login)
        for _ in 0..<30 {
            for _ in 0..<10 { _ = try await harness.poll(login) }
            await harness.pass(.seconds(1))
        }
        #expect(harness.provider.checkCount <= 36)
    }

    @Test func `an approval in the last check before the deadline counts`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        await harness.pass(.seconds(178))
        harness.provider.answer(reference, .approved)
        await harness.pass(.milliseconds(1999))
        #expect(try harness.state(of: login).name == .approved)
    }

    // T-010
    @Test func `a verdict that comes too late is recorded and grants nothing`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        let pending = try harness.stored(login)
        await harness.pass(.seconds(180))
        #expect(try await harness.poll(login).failure == .expired)
        harness.provider.answer(reference, .approved)
        try await harness.service.observe(.approved, of: reference, for: pending)
        await harness.pass(.seconds(30))
        #expect(try await harness.poll(login).failure == .expired)
        #expect(harness.environment(of: login).suffix(2) == [.failed, .lateVerdict])
        #expect(harness.sessionCount == 0)
    }

    // T-010
    @Test func `a check that hangs does not hold the deadline, and its late approval grants nothing`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider(onCall: { call in if case .check = call { await gate.pass() } })
        let harness = Harness(provider: provider)
        let login = try await harness.begin()
        provider.answer(try await harness.open(login), .approved)
        harness.time.advance(by: .seconds(6))
        let checks = harness.watcher.tick()
        try #require(checks.count == 1)
        let hanging = Task { await harness.watcher.check(checks[0]) }
        await until { provider.checkCount == 1 }
        await harness.pass(.seconds(174))
        #expect(try await harness.poll(login).failure == .expired)
        await gate.open()
        await hanging.value
        #expect(try await harness.poll(login).failure == .expired)
        #expect(harness.environment(of: login).suffix(2) == [.failed, .lateVerdict])
    }

    @Test func `a poll during a check starts no second check`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider(onCall: { call in if case .check = call { await gate.pass() } })
        let harness = Harness(provider: provider)
        let login = try await harness.begin()
        provider.answer(try await harness.open(login), .approved)
        harness.time.advance(by: .seconds(6))
        let checks = harness.watcher.tick()
        try #require(checks.count == 1)
        let hanging = Task { await harness.watcher.check(checks[0]) }
        await until { provider.checkCount == 1 }
        // After more than the hot time without a poll a poll expedites the next check.
        harness.time.advance(by: .seconds(7))
        _ = try await harness.poll(login)
        await harness.pass(.seconds(2))
        #expect(provider.checkCount == 1)
        #expect(harness.watcher.nextDue != nil, "the deadline is still kept")
        await gate.open()
        await hanging.value
        #expect(try await harness.poll(login).grant != nil)
        await harness.pass(.seconds(5))
        #expect(provider.checkCount == 1)
        #expect(!harness.environment(of: login).contains(.lateVerdict))
    }

    @Test(arguments: [ScanStatus.approved, .rejected(.notMatched), .rejected(.declined), .expired, .canceled, .broken])
    func `a verdict that was already applied is not audited as late`(_ verdict: ScanStatus) async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        let pending = try harness.stored(login)
        for _ in 0..<3 { try await harness.service.observe(verdict, of: reference, for: pending) }
        if verdict == .approved {
            _ = try await harness.poll(login)
            try await harness.service.observe(verdict, of: reference, for: pending)
            _ = try await harness.service.acknowledge(login.publicID, login.rightful)
            try await harness.service.observe(verdict, of: reference, for: pending)
        }
        #expect(!harness.environment(of: login).contains(.lateVerdict))
    }

    @Test(arguments: [ScanStatus.approved, .rejected(.notMatched)])
    func `a verdict after the person gave up, or after an outage to the end, is late`(
        _ verdict: ScanStatus
    ) async throws {
        let harness = Harness()
        let canceled = try await harness.begin()
        let first = (try await harness.open(canceled), try harness.stored(canceled))
        _ = try await harness.service.cancel(canceled.publicID, canceled.rightful)
        try await harness.service.observe(verdict, of: first.0, for: first.1)
        #expect(harness.environment(of: canceled).suffix(2) == [.failed, .lateVerdict])

        let unlucky = try await harness.begin()
        let second = (try await harness.open(unlucky), try harness.stored(unlucky))
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        await harness.pass(.seconds(180))
        #expect(try await harness.poll(unlucky).failure == .providerUnavailable)
        try await harness.service.observe(verdict, of: second.0, for: second.1)
        #expect(harness.environment(of: unlucky).suffix(2) == [.failed, .lateVerdict])
    }

    @Test func `a provider's degradation ends after thirty seconds without calls`() async throws {
        let harness = Harness()
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        let lost = try await harness.begin()
        for _ in 0..<2 { _ = try await harness.service.open(ticket: lost.ticket, browserCookie: nil) }
        let next = try await harness.begin()
        #expect(try await harness.poll(next).hint == .providerDegraded)
        #expect(harness.service.providerHealth.values.contains(false))
        await harness.pass(.seconds(30))
        #expect(try await harness.poll(next).hint == .created)
        #expect(!harness.service.providerHealth.values.contains(false))
    }

    @Test func `a deadline in an outage fails with the provider's code, otherwise with expired`() async throws {
        let harness = Harness()
        let waiting = try await harness.begin()
        try await harness.open(waiting)
        await harness.pass(.seconds(180))
        #expect(try await harness.poll(waiting).failure == .expired)

        let unlucky = try await harness.begin()
        try await harness.open(unlucky)
        let unopened = try await harness.begin()
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        await harness.pass(.seconds(179))
        #expect(try await harness.poll(unlucky).hint == .providerDegraded, "until the deadline it goes on")
        await harness.pass(.seconds(1))
        #expect(try await harness.poll(unlucky).failure == .providerUnavailable)
        #expect(try await harness.poll(unopened).failure == .expired)
    }

    @Test func `a login completes after an outage that ends before its deadline`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        await harness.pass(.seconds(120))
        harness.provider.fail(with: nil)
        harness.provider.answer(reference, .approved)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(login).grant != nil)
    }

    @Test func `unreadable answers end a login with provider_error`() async throws {
        let harness = Harness()
        let garbled = try await harness.begin()
        harness.provider.answer(try await harness.open(garbled), .unrecognised)
        // The first check comes within 5.5 s, the one that is 15 s after it within another 5.5.
        await harness.pass(.seconds(19))
        #expect(try await harness.poll(garbled).failure == nil)
        await harness.pass(.seconds(8))
        #expect(try await harness.poll(garbled).failure == .providerError)

        let unknown = try await harness.begin()
        harness.provider.answer(try await harness.open(unknown), .unknownReference)
        await harness.pass(.seconds(14))
        #expect(try await harness.poll(unknown).failure == nil)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(unknown).failure == .providerError)
    }

    @Test func `ten seconds of unreadable answers do not end a login, however often it is polled`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        await harness.pass(.seconds(10))
        harness.provider.answer(reference, .nonsense)
        for _ in 0..<10 {
            _ = try await harness.poll(login)
            await harness.pass(.seconds(1))
        }
        #expect(harness.service.providerHealth.values.contains(false), "what is no answer is no sign of health")
        #expect(try await harness.poll(login).hint == .providerDegraded)
        harness.provider.answer(reference, .approved)
        await harness.pass(.seconds(2))
        #expect(try await harness.poll(login).grant != nil)
    }

    @Test func `a link that was opened in an outage is the provider's failure, also after a restart`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil)
        harness.provider.fail(with: nil)
        let next = try await harness.restarted()
        #expect(try await next.poll(login).hint == .linkOpened, "the person may press again, and the app is told so")
        await next.pass(.seconds(180))
        #expect(try await next.poll(login).failure == .providerUnavailable)
    }

    @Test func `the checks before the deadline use the final slot`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        try await harness.open(login)
        await harness.pass(.seconds(178))
        #expect(harness.provider.turns.allSatisfy { $0.slot == .long && !$0.isSuspect })
        await harness.pass(.milliseconds(1999))
        #expect(harness.provider.turns.last?.slot == .final, "of a provider that is well, the one before the deadline")

        let other = try await harness.begin()
        try await harness.open(other)
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        await harness.pass(.milliseconds(174_900))
        let deadline = harness.time.now + .milliseconds(5100)
        let before = harness.provider.turns.suffix(5)
        #expect(before.allSatisfy { $0.slot == .long && $0.isSuspect && $0.end.map { $0 < deadline } == true })
        let count = harness.provider.turns.count
        await harness.pass(.seconds(5))
        let last = harness.provider.turns.dropFirst(count)
        #expect(last.count >= 3 && last.allSatisfy { $0.slot == .final })
        // What bounds them is told the deadline, so that two fit before it.
        let ends = last.compactMap(\.end)
        #expect(ends.count == last.count)
        #expect(ends.allSatisfy { $0 < deadline + .seconds(1) && deadline < $0 + .seconds(1) })
    }

    @Test func `a scan whose checks fail is asked about every second of its last five`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        harness.provider.fail(with: .heldBack(cause: "its circuit is open"))
        await harness.pass(.seconds(175))
        let before = harness.provider.checkCount
        await harness.pass(.milliseconds(3500))
        #expect((3...5).contains(harness.provider.checkCount - before))
        harness.provider.fail(with: nil)
        harness.provider.answer(reference, .approved)
        await harness.pass(.milliseconds(1300))
        #expect(try harness.state(of: login).name == .approved)
    }

    // T-245
    @Test func `a provider is never asked more at once than it bears`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider(
            checkConcurrency: 2,
            onCall: { call in if case .check = call { await gate.pass() } }
        )
        let harness = Harness(provider: provider)
        for number in 0..<5 { try await harness.open(try await harness.begin(), browser: "\(number)") }
        harness.time.advance(by: .seconds(6))
        await withTaskGroup(of: Void.self) { group in
            for check in harness.watcher.tick() { group.addTask { await harness.watcher.check(check) } }
            for await _ in group.prefix(3) {}
            #expect(provider.checkCount <= 2, "three were turned away")
            await gate.open()
        }
        await harness.pass(.seconds(1))
        #expect(provider.checkCount == 5, "and came again soon after")
    }

    @Test(arguments: [1, 512, 1000])
    func `attack: the watcher has 480 tasks beyond the checks that its provider is given`(
        _ checks: Int
    ) async throws {
        let harness = Harness(provider: ScriptedFaceProvider(checkConcurrency: checks))
        #expect(harness.watcher.concurrency >= checks + 480)
    }

    @Test func `an approval whose write failed is written again half a second later`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        harness.provider.answer(try await harness.open(login), .approved)
        harness.time.advance(by: .milliseconds(5500))
        harness.disk.failNextUnit(.beforeCommit)
        await harness.pass(.milliseconds(499))
        #expect(try harness.state(of: login).name == .pending)
        await harness.pass(.milliseconds(1))
        #expect(try harness.state(of: login).name == .approved)
    }

    @Test func `an approval whose write succeeded with an error is not audited as late`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        harness.provider.answer(try await harness.open(login), .approved)
        harness.time.advance(by: .milliseconds(5500))
        harness.disk.failNextUnit(.afterCommit)
        await harness.pass(.seconds(1))
        #expect(try await harness.poll(login).grant != nil)
        #expect(!harness.environment(of: login).contains(.lateVerdict))
    }

    @Test func `the windows end in time without any poll`() async throws {
        let harness = Harness()
        let uncollected = try await harness.approved()
        let collected = try await harness.approved()
        _ = try await harness.poll(collected)
        await harness.pass(.seconds(60))
        #expect(try harness.state(of: uncollected).name == .failed)
        await harness.pass(.seconds(60))
        #expect(try harness.state(of: collected).name == .closed)
    }

    @Test func `what has ended leaves the cache after ten minutes`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        _ = try await harness.service.cancel(login.publicID, login.rightful)
        await harness.pass(.milliseconds(599_999))
        #expect(harness.service.cache.count == 1)
        await harness.pass(.milliseconds(1))
        #expect(harness.service.cache.count == 0)
        #expect(harness.watcher.nextDue == nil)
    }

    // T-262
    @Test func `stepping the wall clock neither ends nor prolongs anything`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        harness.time.stepWall(by: .seconds(100_000))
        await harness.pass(.seconds(100))
        #expect(try await harness.poll(login) == .pending(hint: .created, seq: 1, timeLeft: .seconds(80)))
        harness.time.stepWall(by: .seconds(-200_000))
        await harness.pass(.seconds(80))
        #expect(try await harness.poll(login).failure == .expired)
    }

    @Test func `the loop follows, wakes parked polls and stops when it is told to`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        let loop = Task { await harness.watcher.run() }
        let parked = Task {
            await harness.service.cache.wait(
                WaitingTurn(
                    publicID: login.publicID,
                    seq: 3,
                    deadline: harness.time.now + .seconds(2),
                    caller: .zero,
                    isProven: true
                )
            )
        }
        await until { harness.service.cache.parkedCount == 1 }
        for _ in 0..<50 {
            await until { harness.time.sleeperCount >= 1 }
            harness.time.advance(by: .milliseconds(50))
        }
        #expect(await parked.value)
        harness.provider.answer(reference, .approved)
        var ticks = 0
        while try harness.state(of: login).name == .pending, ticks < 1000 {
            await until { harness.time.sleeperCount >= 1 }
            harness.time.advance(by: .milliseconds(50))
            ticks += 1
        }
        #expect(try harness.state(of: login).name == .approved)
        loop.cancel()
        await loop.value
    }
}
