import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Operations

@Suite(.timeLimit(.minutes(1))) struct WatcherTests {
    @Test func `a scan is checked about every five seconds, and every second while a client waits`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        try await bench.open(login)
        await bench.pass(.seconds(60))
        #expect((10...14).contains(bench.provider.checkCount))
        let before = bench.provider.checkCount
        for _ in 0..<15 {
            _ = try await bench.poll(login)
            await bench.pass(.seconds(2))
        }
        #expect((26...36).contains(bench.provider.checkCount - before))
    }

    @Test func `ten callers cost no more checks than one`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        try await bench.open(login)
        for _ in 0..<30 {
            for _ in 0..<10 { _ = try await bench.poll(login) }
            await bench.pass(.seconds(1))
        }
        #expect(bench.provider.checkCount <= 36)
    }

    @Test func `the last check comes before the deadline and its answer counts`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let reference = try await bench.open(login)
        await bench.pass(.seconds(178))
        bench.provider.answer(reference, .approved)
        await bench.pass(.milliseconds(1999))
        #expect(try bench.state(of: login).name == .approved)
    }

    @Test func `a verdict that comes too late is recorded and grants nothing`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let reference = try await bench.open(login)
        let pending = try bench.stored(login)
        await bench.pass(.seconds(180))
        #expect(try await bench.poll(login).failure == .expired)
        bench.provider.answer(reference, .approved)
        try await bench.service.observe(.approved, of: reference, for: pending)
        await bench.pass(.seconds(30))
        #expect(try await bench.poll(login).failure == .expired)
        #expect(bench.environment(of: login).suffix(2) == [.failed, .lateVerdict])
        #expect(bench.sessionCount == 0)
    }

    @Test func `a check that hangs does not hold the deadline, and its late approval grants nothing`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider(onCall: { call in if case .check = call { await gate.pass() } })
        let bench = Bench(provider: provider)
        let login = try await bench.begin()
        provider.answer(try await bench.open(login), .approved)
        bench.time.advance(by: .seconds(6))
        let checks = bench.watcher.tick()
        try #require(checks.count == 1)
        let hanging = Task { await bench.watcher.check(checks[0]) }
        await until { provider.checkCount == 1 }
        await bench.pass(.seconds(174))
        #expect(try await bench.poll(login).failure == .expired)
        await gate.open()
        await hanging.value
        #expect(try await bench.poll(login).failure == .expired)
        #expect(bench.environment(of: login).suffix(2) == [.failed, .lateVerdict])
    }

    @Test func `a client that comes back does not make a second check of what is being checked`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider(onCall: { call in if case .check = call { await gate.pass() } })
        let bench = Bench(provider: provider)
        let login = try await bench.begin()
        provider.answer(try await bench.open(login), .approved)
        bench.time.advance(by: .seconds(6))
        let checks = bench.watcher.tick()
        try #require(checks.count == 1)
        let hanging = Task { await bench.watcher.check(checks[0]) }
        await until { provider.checkCount == 1 }
        // After more than the hot time without a poll a poll hastens the next visit.
        bench.time.advance(by: .seconds(7))
        _ = try await bench.poll(login)
        await bench.pass(.seconds(2))
        #expect(provider.checkCount == 1)
        #expect(bench.watcher.nextDue != nil, "the deadline is still kept")
        await gate.open()
        await hanging.value
        #expect(try await bench.poll(login).grant != nil)
        await bench.pass(.seconds(5))
        #expect(provider.checkCount == 1)
        #expect(!bench.environment(of: login).contains(.lateVerdict))
    }

    @Test(arguments: [ScanStatus.approved, .rejected(.notMatched), .rejected(.declined), .expired, .canceled, .broken])
    func `the verdict that decided is not late when it is learnt again`(_ verdict: ScanStatus) async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let reference = try await bench.open(login)
        let pending = try bench.stored(login)
        for _ in 0..<3 { try await bench.service.observe(verdict, of: reference, for: pending) }
        if verdict == .approved {
            _ = try await bench.poll(login)
            try await bench.service.observe(verdict, of: reference, for: pending)
            _ = try await bench.service.acknowledge(login.publicID, login.rightful)
            try await bench.service.observe(verdict, of: reference, for: pending)
        }
        #expect(!bench.environment(of: login).contains(.lateVerdict))
    }

    @Test(arguments: [ScanStatus.approved, .rejected(.notMatched)])
    func `a verdict after the person gave up, or after an outage to the end, is late`(
        _ verdict: ScanStatus
    ) async throws {
        let bench = Bench()
        let canceled = try await bench.begin()
        let first = (try await bench.open(canceled), try bench.stored(canceled))
        _ = try await bench.service.cancel(canceled.publicID, canceled.rightful)
        try await bench.service.observe(verdict, of: first.0, for: first.1)
        #expect(bench.environment(of: canceled).suffix(2) == [.failed, .lateVerdict])

        let unlucky = try await bench.begin()
        let second = (try await bench.open(unlucky), try bench.stored(unlucky))
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        await bench.pass(.seconds(180))
        #expect(try await bench.poll(unlucky).failure == .providerUnavailable)
        try await bench.service.observe(verdict, of: second.0, for: second.1)
        #expect(bench.environment(of: unlucky).suffix(2) == [.failed, .lateVerdict])
    }

    @Test func `an outage that nobody notices any more is over`() async throws {
        let bench = Bench()
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        let lost = try await bench.begin()
        for _ in 0..<2 { _ = try await bench.service.open(ticket: lost.ticket, browserCookie: nil) }
        let next = try await bench.begin()
        #expect(try await bench.poll(next).hint == .providerDegraded)
        #expect(bench.service.providerHealth.values.contains(false))
        await bench.pass(.seconds(30))
        #expect(try await bench.poll(next).hint == .created)
        #expect(!bench.service.providerHealth.values.contains(false))
    }

    @Test func `an outage to the end is the provider's, a wait to the end is the person's`() async throws {
        let bench = Bench()
        let waiting = try await bench.begin()
        try await bench.open(waiting)
        await bench.pass(.seconds(180))
        #expect(try await bench.poll(waiting).failure == .expired)

        let unlucky = try await bench.begin()
        try await bench.open(unlucky)
        let unopened = try await bench.begin()
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        await bench.pass(.seconds(179))
        #expect(try await bench.poll(unlucky).hint == .providerDegraded, "until the deadline it goes on")
        await bench.pass(.seconds(1))
        #expect(try await bench.poll(unlucky).failure == .providerUnavailable)
        #expect(try await bench.poll(unopened).failure == .expired)
    }

    @Test func `an outage that ends in time costs nothing`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let reference = try await bench.open(login)
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        await bench.pass(.seconds(120))
        bench.provider.fail(with: nil)
        bench.provider.answer(reference, .approved)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(login).grant != nil)
    }

    @Test func `answers that nobody can read end the scan as the provider's fault`() async throws {
        let bench = Bench()
        let garbled = try await bench.begin()
        bench.provider.answer(try await bench.open(garbled), .unrecognised)
        // The first check comes within 5.5 s, the one that is 15 s after it within another 5.5.
        await bench.pass(.seconds(19))
        #expect(try await bench.poll(garbled).failure == nil)
        await bench.pass(.seconds(8))
        #expect(try await bench.poll(garbled).failure == .providerError)

        let unknown = try await bench.begin()
        bench.provider.answer(try await bench.open(unknown), .unknownReference)
        await bench.pass(.seconds(14))
        #expect(try await bench.poll(unknown).failure == nil)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(unknown).failure == .providerError)
    }

    @Test func `a proxy's page of some seconds costs nobody a login, however often it is asked for`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let reference = try await bench.open(login)
        await bench.pass(.seconds(10))
        bench.provider.answer(reference, .nonsense)
        for _ in 0..<10 {
            _ = try await bench.poll(login)
            await bench.pass(.seconds(1))
        }
        #expect(bench.service.providerHealth.values.contains(false), "what is no answer is no sign of health")
        #expect(try await bench.poll(login).hint == .providerDegraded)
        bench.provider.answer(reference, .approved)
        await bench.pass(.seconds(2))
        #expect(try await bench.poll(login).grant != nil)
    }

    @Test func `a link that was opened in an outage is the provider's failure, also after a restart`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        _ = try await bench.service.open(ticket: login.ticket, browserCookie: nil)
        bench.provider.fail(with: nil)
        let next = try await bench.restarted()
        #expect(try await next.poll(login).hint == .linkOpened, "the person may press again, and the app is told so")
        await next.pass(.seconds(180))
        #expect(try await next.poll(login).failure == .providerUnavailable)
    }

    @Test func `the last checks say that they are, so that no circuit holds them back`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        try await bench.open(login)
        await bench.pass(.seconds(178))
        #expect(bench.provider.turns.allSatisfy { $0.slot == .long && !$0.isSuspect })
        await bench.pass(.milliseconds(1999))
        #expect(bench.provider.turns.last?.slot == .final, "of a provider that is well, the one before the deadline")

        let other = try await bench.begin()
        try await bench.open(other)
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        await bench.pass(.milliseconds(174_900))
        let deadline = bench.time.now + .milliseconds(5100)
        let before = bench.provider.turns.suffix(5)
        #expect(before.allSatisfy { $0.slot == .long && $0.isSuspect && $0.end.map { $0 < deadline } == true })
        let count = bench.provider.turns.count
        await bench.pass(.seconds(5))
        let last = bench.provider.turns.dropFirst(count)
        #expect(last.count >= 3 && last.allSatisfy { $0.slot == .final })
        // What bounds them is told the deadline, so that two fit before it.
        let ends = last.compactMap(\.end)
        #expect(ends.count == last.count)
        #expect(ends.allSatisfy { $0 < deadline + .seconds(1) && deadline < $0 + .seconds(1) })
    }

    @Test func `a scan whose checks fail is asked about every second of its last five`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let reference = try await bench.open(login)
        bench.provider.fail(with: .heldBack(cause: "its circuit is open"))
        await bench.pass(.seconds(175))
        let before = bench.provider.checkCount
        await bench.pass(.milliseconds(3500))
        #expect((3...5).contains(bench.provider.checkCount - before))
        bench.provider.fail(with: nil)
        bench.provider.answer(reference, .approved)
        await bench.pass(.milliseconds(1300))
        #expect(try bench.state(of: login).name == .approved)
    }

    @Test func `a provider is never asked more at once than it bears`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider(
            checkConcurrency: 2,
            onCall: { call in if case .check = call { await gate.pass() } }
        )
        let bench = Bench(provider: provider)
        for number in 0..<5 { try await bench.open(try await bench.begin(), browser: "\(number)") }
        bench.time.advance(by: .seconds(6))
        await withTaskGroup(of: Void.self) { group in
            for check in bench.watcher.tick() { group.addTask { await bench.watcher.check(check) } }
            for await _ in group.prefix(3) {}
            #expect(provider.checkCount <= 2, "three were turned away")
            await gate.open()
        }
        await bench.pass(.seconds(1))
        #expect(provider.checkCount == 5, "and came again soon after")
    }

    @Test(arguments: [1, 512, 1000])
    func `attack: a provider that hangs leaves room for the deadlines, however many checks it is given`(
        _ checks: Int
    ) async throws {
        let bench = Bench(provider: ScriptedFaceProvider(checkConcurrency: checks))
        #expect(bench.watcher.concurrency >= checks + 480)
    }

    @Test func `a store fault is tried again half a second later`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        bench.provider.answer(try await bench.open(login), .approved)
        bench.time.advance(by: .milliseconds(5500))
        bench.disk.failNextUnit(.beforeCommit)
        await bench.pass(.milliseconds(499))
        #expect(try bench.state(of: login).name == .pending)
        await bench.pass(.milliseconds(1))
        #expect(try bench.state(of: login).name == .approved)
    }

    @Test func `an approval that was durable though it reported a fault is no late verdict`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        bench.provider.answer(try await bench.open(login), .approved)
        bench.time.advance(by: .milliseconds(5500))
        bench.disk.failNextUnit(.afterCommit)
        await bench.pass(.seconds(1))
        #expect(try await bench.poll(login).grant != nil)
        #expect(!bench.environment(of: login).contains(.lateVerdict))
    }

    @Test func `the windows end in time without any poll`() async throws {
        let bench = Bench()
        let uncollected = try await bench.approved()
        let collected = try await bench.approved()
        _ = try await bench.poll(collected)
        await bench.pass(.seconds(60))
        #expect(try bench.state(of: uncollected).name == .failed)
        await bench.pass(.seconds(60))
        #expect(try bench.state(of: collected).name == .closed)
    }

    @Test func `what has ended leaves the cache after ten minutes`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        _ = try await bench.service.cancel(login.publicID, login.rightful)
        await bench.pass(.milliseconds(599_999))
        #expect(bench.service.cache.count == 1)
        await bench.pass(.milliseconds(1))
        #expect(bench.service.cache.count == 0)
        #expect(bench.watcher.nextDue == nil)
    }

    @Test func `stepping the wall clock neither ends nor prolongs anything`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        bench.time.stepWall(by: .seconds(100_000))
        await bench.pass(.seconds(100))
        #expect(try await bench.poll(login) == .pending(hint: .created, seq: 1, timeLeft: .seconds(80)))
        bench.time.stepWall(by: .seconds(-200_000))
        await bench.pass(.seconds(80))
        #expect(try await bench.poll(login).failure == .expired)
    }

    @Test func `the loop follows, wakes parked polls and stops when it is told to`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let reference = try await bench.open(login)
        let loop = Task { await bench.watcher.run() }
        let parked = Task {
            await bench.service.cache.wait(
                WaitingTurn(
                    publicID: login.publicID,
                    seq: 3,
                    deadline: bench.time.now + .seconds(2),
                    caller: .zero,
                    isProven: true
                )
            )
        }
        await until { bench.service.cache.parkedCount == 1 }
        for _ in 0..<50 {
            await until { bench.time.sleeperCount >= 1 }
            bench.time.advance(by: .milliseconds(50))
        }
        #expect(await parked.value)
        bench.provider.answer(reference, .approved)
        var beats = 0
        while try bench.state(of: login).name == .pending, beats < 1000 {
            await until { bench.time.sleeperCount >= 1 }
            bench.time.advance(by: .milliseconds(50))
            beats += 1
        }
        #expect(try bench.state(of: login).name == .approved)
        loop.cancel()
        await loop.value
    }
}
