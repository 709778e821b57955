import Kernel
import MemoryStore
import Testing

@testable import Operations

/// Several engines over one store: any of them serves a client, and one follows each operation.
struct NodesTests {
    private let first = Harness(nodes: ScriptedNodes(0))
    private let second: Harness

    init() { second = first.beside(as: ScriptedNodes(1)) }

    @Test func `a login that began on one daemon is polled on another, and costs it one read`() async throws {
        let login = try await first.begin()
        #expect(try await second.poll(login) == .pending(hint: .created, seq: 1, timeLeft: .seconds(180)))
        let reads = first.disk.tally.reads
        for _ in 0..<5 { _ = try await second.poll(login) }
        #expect(first.disk.tally.reads == reads)
        // The daemon that began it still follows it.
        #expect(try first.stored(login).version == Operation.Version(seq: 1, writer: NodeName(slot: 0)))
    }

    @Test func `a client's logins end on whichever daemon they are, but those that began after its end stay`()
        async throws
    {
        let login = try await first.begin()
        let stored = try first.stored(login)
        let (client, begun) = (stored.request.policy.signsInTo, stored.validity.createdAt)
        let service = second.service
        try await service.endElsewhere(.cancelRequested, ofClient: client, begunBy: begun - .seconds(60))
        try await service.endElsewhere(.cancelRequested, ofClient: "another", begunBy: begun)
        #expect(try first.stored(login).state.name == .created)
        try await service.endElsewhere(.cancelRequested, ofClient: client, begunBy: begun)
        #expect(try first.stored(login).state.name == .failed)
        for message in second.feed.take() { await first.service.take(.message(message)) }
        #expect(try first.state(of: login).name == .failed)
    }

    @Test func `the steps of a login are spread over daemons, and the one that opened the link asks the provider`()
        async throws
    {
        let login = try await first.begin()
        let scan = try await second.open(login)
        #expect(try first.stored(login).version.writer == NodeName(slot: 1))
        first.provider.answer(scan, .approved)
        await second.pass(.seconds(6))
        #expect(try second.state(of: login).name == .approved)
        for message in second.feed.take() { await first.service.take(.message(message)) }
        guard case .completed(_, _, let seq) = try await first.poll(login) else {
            Issue.record("nothing was collected")
            return
        }
        #expect(try first.stored(login).version == Operation.Version(seq: seq, writer: NodeName(slot: 0)))
    }

    @Test func `an acknowledgement closes a login on a daemon that has not heard of its collection`() async throws {
        let login = try await first.begin()
        _ = try await second.poll(login)
        let scan = try await first.open(login)
        first.provider.answer(scan, .approved)
        await first.pass(.seconds(6))
        guard case .completed = try await first.poll(login) else {
            Issue.record("nothing was collected")
            return
        }
        // No message has arrived, so that the cache has the first version.
        _ = try await second.service.acknowledge(login.publicID, login.rightful)
        #expect(try first.state(of: login).name == .closed)
        // A login that has ended is not read again.
        let reads = second.disk.tally.reads
        _ = try await second.service.acknowledge(login.publicID, login.rightful)
        #expect(second.disk.tally.reads == reads)
    }

    @Test func `a daemon asks no provider about an operation that another one follows`() async throws {
        let login = try await first.begin()
        try await first.open(login)
        _ = try await second.poll(login)
        await second.pass(.seconds(30))
        #expect(first.provider.checkCount == 0)
        await first.pass(.seconds(1))
        #expect(first.provider.checkCount > 0)
    }

    @Test func `a daemon whose client waits sees a change that another one wrote within the time of two readings`()
        async throws
    {
        let login = try await first.begin()
        _ = try await second.poll(login)
        try await first.open(login)
        for _ in 0..<2 {
            _ = try await second.poll(login)
            await second.pass(.milliseconds(2300))
        }
        #expect(try await second.poll(login).hint == .userInProvider)
    }

    @Test func `a change that another daemon announces wakes a waiting client at once`() async throws {
        let login = try await first.begin()
        _ = try await second.poll(login)
        let card = try #require(second.service.cache.card(login.publicID))
        let turn = second.service.turn(card.operation, until: second.time.now + .seconds(30), as: login.rightful)
        let waiting = Task { [second] in await second.service.cache.wait(turn) }
        while second.service.cache.parkedCount == 0 { await Task.yield() }
        try await first.open(login)
        for message in first.feed.take() { await second.service.take(.message(message)) }
        // Time stands still: only the change can have woken it.
        #expect(await waiting.value)
        #expect(second.service.peek(login.publicID, login.rightful)?.hint == .userInProvider)
    }

    @Test func `a parked client keeps the provider being asked every second on the daemon that follows the scan`()
        async throws
    {
        let login = try await first.begin()
        try await first.open(login)
        _ = try await second.poll(login)
        let card = try #require(second.service.cache.card(login.publicID))
        let turn = second.service.turn(card.operation, until: second.time.now + .seconds(60), as: login.rightful)
        let waiting = Task { [second] in await second.service.cache.wait(turn) }
        while second.service.cache.parkedCount == 0 { await Task.yield() }
        for _ in 0..<25 {
            await second.pass(.seconds(1))
            for message in second.feed.take() { await first.service.take(.message(message)) }
            await first.pass(.zero)
        }
        // Every five seconds without a client that is known to wait.
        #expect(first.provider.checkCount >= 12)
        second.service.cache.wakeAll()
        _ = await waiting.value
    }

    @Test func `a client that waits on another daemon makes the provider be asked often, and says so now and then`()
        async throws
    {
        let login = try await first.begin()
        try await first.open(login)
        for _ in 0..<20 {
            _ = try await second.poll(login)
            for message in second.feed.take() { await first.service.take(.message(message)) }
            await first.pass(.seconds(1))
        }
        // Every second, and not every five as without a client.
        #expect(first.provider.checkCount >= 15)
        for _ in 0..<30 {
            _ = try await second.poll(login)
            second.time.advance(by: .milliseconds(100))
        }
        #expect((1...2).contains(second.feed.take().count))
    }

    @Test func `after a gap every operation for which a client waits is read again, and no other`() async throws {
        let (awaited, other) = (try await first.begin(), try await first.begin())
        _ = try await second.poll(other)
        second.time.advance(by: .seconds(20))
        _ = try await second.poll(awaited)
        try await first.open(awaited)
        _ = first.feed.take()
        let reads = second.disk.tally.reads
        await second.service.take(.gap)
        #expect(second.disk.tally.reads == reads + 1)
        #expect(second.service.peek(awaited.publicID, awaited.rightful)?.hint == .userInProvider)
    }

    @Test func `the daemon that began a login learns after a gap what another one made of it`() async throws {
        let login = try await first.begin()
        _ = try await first.poll(login)
        let scan = try await second.open(login)
        second.provider.answer(scan, .approved)
        await second.pass(.seconds(5))
        _ = try await first.poll(login)
        await first.service.take(.gap)
        guard case .completed = try await first.poll(login) else {
            Issue.record("nothing was collected")
            return
        }
    }

    @Test
    func `the reason of a failed scan is told to its browser by a daemon that never had the login, and to no other`()
        async throws
    {
        let login = try await first.begin()
        let scan = try await first.open(login, browser: "of the person")
        first.provider.answer(scan, .rejected(.notMatched))
        await first.pass(.seconds(6))
        try await second.service.load(ticket: login.ticket)
        for service in [first.service, second.service] {
            let told = service.landing(ticket: login.ticket, browserCookie: Secret("of the person"))
            #expect(told == .outcome(.failed(.notMatched)))
            #expect(service.landing(ticket: login.ticket, browserCookie: Secret("another")) == .over)
            #expect(service.landing(ticket: login.ticket, browserCookie: nil) == .over)
        }
        let third = first.beside(as: ScriptedNodes(2))
        third.time.advance(by: OperationCache.terminalStay)
        try await third.service.load(ticket: login.ticket)
        let late = third.service.landing(ticket: login.ticket, browserCookie: Secret("of the person"))
        #expect(late == .over, "as on a daemon that had it")
    }

    @Test func `attack: a browser that another one has replaced elsewhere learns no outcome, and the other one does`()
        async throws
    {
        let login = try await first.begin()
        try await first.open(login, browser: "of the attacker")
        try await second.service.load(ticket: login.ticket)
        #expect(second.service.cache.card(login.publicID)?.browser == Digest256(sha256: "of the attacker"))
        let scan = try await first.open(login, browser: "of the person")
        first.provider.answer(scan, .rejected(.notMatched))
        await first.pass(.seconds(6))
        // The first of the messages makes it read the last version.
        for message in first.feed.take() { await second.service.take(.message(message)) }
        #expect(second.service.cache.card(login.publicID)?.operation.state.name == .failed)
        try await second.service.load(ticket: login.ticket)
        for service in [first.service, second.service] {
            let told = service.landing(ticket: login.ticket, browserCookie: Secret("of the person"))
            #expect(told == .outcome(.failed(.notMatched)))
            #expect(service.landing(ticket: login.ticket, browserCookie: Secret("of the attacker")) == .over)
        }
    }

    @Test func `a client on another daemon is told that the provider does not answer, and that it does again`()
        async throws
    {
        let login = try await first.begin()
        try await first.open(login)
        first.provider.fail(with: .unavailable(cause: "down"))
        await first.pass(.seconds(6))
        #expect(try await first.poll(login).hint == .providerDegraded)
        let told = try await hints(login, for: 8)
        #expect(told.first == .userInProvider && told.dropFirst().allSatisfy { $0 == .providerDegraded }, "\(told)")
        first.provider.fail(with: nil)
        await first.pass(.seconds(6))
        #expect(try await first.poll(login).hint == .userInProvider)
        let later = try await hints(login, for: 15)
        #expect(later.last == .userInProvider, "\(later)")
    }

    /// Polls each second at the second daemon, whose messages and answers arrive after each poll.
    private func hints(_ login: Login, for seconds: Int) async throws -> [PendingHint?] {
        var hints: [PendingHint?] = []
        for _ in 0..<seconds {
            hints.append(try await second.poll(login).hint)
            for message in second.feed.take() { await first.service.take(.message(message)) }
            for message in first.feed.take() { await second.service.take(.message(message)) }
            await second.pass(.seconds(1))
        }
        return hints
    }

    // T-021
    @Test func `a daemon that has missed messages is told again who is kept quiet, for the time that is left`() async {
        await first.service.take(.message(.quieted(key: 7, milliseconds: 600_000)))
        await first.service.take(.message(.quieted(key: 8, milliseconds: .max)))
        first.service.repeatQuieted()
        #expect(first.feed.take().isEmpty, "nobody has asked")
        await second.service.take(.gap)
        #expect(second.feed.take() == [.missed])
        first.time.advance(by: .seconds(100))
        // However many ask, they are told once.
        for _ in 1...3 { await first.service.take(.message(.missed)) }
        first.service.repeatQuieted()
        let period = LimitRates().logins.quietPeriod.wholeMilliseconds
        let told: Set<FeedMessage> = [
            .quieted(key: 7, milliseconds: 500_000), .quieted(key: 8, milliseconds: period - 100_000),
        ]
        #expect(Set(first.feed.take()) == told)
        await first.service.take(.message(.missed))
        first.service.repeatQuieted()
        #expect(first.feed.take().isEmpty, "a second later")
        first.time.advance(by: .seconds(500))
        first.service.repeatQuieted()
        #expect(first.feed.take() == [.quieted(key: 8, milliseconds: period - 600_000)], "the other one's time is over")
    }

    // T-021
    @Test func `two daemons that repeat to each other who is kept quiet do not prolong that`() async {
        await first.service.take(.message(.quieted(key: 7, milliseconds: 60_500)))
        for _ in 1...10 {
            for (asked, asking) in [(first, second), (second, first)] {
                for message in await repeated(by: asked) { await asking.service.take(.message(message)) }
            }
            first.time.advance(by: .microseconds(1_900_300))
        }
        for harness in [first, second] {
            #expect(await repeated(by: harness) == [.quieted(key: 7, milliseconds: 41_497)])
        }
        first.time.advance(by: .milliseconds(41_497))
        for harness in [first, second] { #expect(await repeated(by: harness).isEmpty) }
    }

    /// What the daemon repeats to one that asks who is kept quiet.
    private func repeated(by harness: Harness) async -> [FeedMessage] {
        await harness.service.take(.message(.missed))
        harness.service.repeatQuieted()
        return harness.feed.take()
    }

    @Test func `a webhook that reaches another daemon makes the one that follows the scan check it`() async throws {
        let login = try await first.begin()
        let scan = try await first.open(login)
        await first.pass(.seconds(2))
        let checks = first.provider.checkCount
        #expect(second.service.expedite(scan, at: first.provider.name) == .unmatched)
        for message in second.feed.take() { await first.service.take(.message(message)) }
        await first.pass(.milliseconds(20))
        #expect(first.provider.checkCount == checks + 1)
        // One that follows it itself tells nobody.
        _ = first.feed.take()
        _ = first.service.expedite(scan, at: first.provider.name)
        #expect(first.feed.take().isEmpty)
    }

    @Test func `an account's operations end on every daemon, and no client sees them go on`() async throws {
        let logins = [try await first.begin(), try await second.begin()]
        let polled = try await first.begin()
        _ = try await second.poll(polled)
        try await second.service.ports.unitOfWork.run { [second] transaction in
            try second.service.end(.accountBlocked, of: Harness.person.account, in: transaction)
        }
        for message in second.feed.take() { await first.service.take(.message(message)) }
        for login in logins + [polled] {
            #expect(try first.state(of: login).name == .failed)
            for harness in [first, second] {
                #expect(try await harness.poll(login) == .failed(.accountBlocked, seq: 2))
            }
        }
    }

    @Test func `a device's new login supersedes its older one on another daemon`() async throws {
        let older = try await first.begin(deviceCookie: Harness.deviceCookie)
        let newer = try await second.begin(deviceCookie: Harness.deviceCookie)
        #expect(try first.state(of: older).name == .failed)
        #expect(try first.state(of: newer).name == .created)
    }

    // T-001
    @Test func `attack: who knows the id alone collects nowhere what its client has bound on another daemon`()
        async throws
    {
        let login = try await first.begin(codeVerifier: nil)
        let scan = try await first.open(login)
        let thief = Caller(fingerprint: Digest256(sha256: "another machine"))
        _ = try await second.poll(login, thief)
        // The client's poll binds the login to its cookie there.
        _ = try await first.poll(login)
        await first.watcher.keepBindings(isLast: true)
        first.provider.answer(scan, .approved)
        await first.pass(.seconds(6))
        for message in first.feed.take() { await second.service.take(.message(message)) }
        let stolen = try await second.poll(login, thief)
        guard case .pending = stolen else {
            Issue.record("\(stolen)")
            return
        }
        guard case .completed = try await first.poll(login) else {
            Issue.record("the client got nothing")
            return
        }
    }

    @Test func `a change that could not be read is read again within a second`() async throws {
        let login = try await first.begin()
        _ = try await first.poll(login)
        try await second.open(login)
        first.disk.isDown = true
        for message in second.feed.take() { await first.service.take(.message(message)) }
        first.disk.isDown = false
        #expect(first.service.cache.card(login.publicID)?.operation.state.name == .created)
        // The one that began it would look at it next at its deadline.
        await first.pass(.seconds(1))
        #expect(first.service.cache.card(login.publicID)?.operation.state.name == .pending)
    }

    @Test func `a change that could not be read is read for the client that polls`() async throws {
        let login = try await first.begin()
        _ = try await first.poll(login)
        try await second.open(login)
        first.disk.isDown = true
        for message in second.feed.take() { await first.service.take(.message(message)) }
        first.disk.isDown = false
        #expect(try await first.poll(login).hint == .userInProvider)
    }

    @Test func `a message about an unknown or an older version reads nothing`() async throws {
        let login = try await first.begin()
        _ = try await second.poll(login)
        let reads = second.disk.tally.reads
        await second.service.take(.message(.changed(publicID: login.publicID, seq: 1)))
        await second.service.take(.message(.changed(publicID: Digest256(sha256: "unknown"), seq: 9)))
        await second.service.take(.message(.waitedFor(publicID: Digest256(sha256: "unknown"))))
        await second.service.take(.message(.waitedFor(publicID: login.publicID)))
        #expect(second.disk.tally.reads == reads)
    }

    @Test func `a long poll of a login that ended long ago costs one read`() async throws {
        let login = try await first.begin()
        _ = try await first.service.cancel(login.publicID, login.rightful)
        second.time.advance(by: OperationCache.terminalStay)
        let reads = second.disk.tally.reads
        let loaded = try await second.service.load(login.begun.publicID)
        #expect(loaded != nil && second.service.cache.card(login.publicID) == nil)
        let view = try await second.service.poll(login.publicID, as: login.rightful, after: loaded) {
            (login.rightful, nil)
        }
        #expect(view == .failed(.canceled, seq: 2))
        #expect(second.disk.tally.reads == reads + 1)
    }

    @Test func `an operation of another daemon that nobody asks for leaves the memory`() async throws {
        let login = try await first.begin()
        _ = try await second.poll(login)
        #expect(second.service.cache.count == 1)
        await second.pass(.seconds(90))
        #expect(second.service.cache.count == 0)
        #expect(second.service.plannedChecks == 0)
    }

    @Test func `a stopped daemon's operations are taken over, and decided`() async throws {
        let login = try await first.begin()
        let scan = try await first.open(login)
        first.provider.answer(scan, .approved)
        // The first one stops here. Its operations are unknown to the second.
        second.nodes?.adopted = [NodeName(slot: 0)]
        #expect(second.service.hasAdoptions)
        await second.service.readAdopted()
        #expect(!second.service.hasAdoptions)
        await second.pass(.seconds(2))
        #expect(try second.stored(login).version.writer == NodeName(slot: 1))
        guard case .completed = try await second.poll(login) else {
            Issue.record("nothing was collected")
            return
        }
        #expect(second.sessionCount == 1)
    }

    @Test func `what a paused daemon writes after it was taken over is followed too`() async throws {
        second.nodes?.adopted = [NodeName(slot: 0)]
        await second.service.readAdopted()
        let login = try await first.begin()
        let scan = try await first.open(login)
        first.nodes?.isLeaseHeld = false
        first.provider.answer(scan, .approved)
        await first.pass(.seconds(3))
        #expect(first.provider.checkCount == 0)
        second.time.advance(by: Adoptions.again)
        #expect(second.service.hasAdoptions)
        await second.service.readAdopted()
        await second.pass(.seconds(2))
        #expect(try second.state(of: login).name == .approved)
    }

    @Test func `without its lease a daemon neither asks nor ends, and goes on when it has it again`() async throws {
        let login = try await first.begin()
        try await first.open(login)
        let idle = try await first.begin()
        first.nodes?.isLeaseHeld = false
        await first.pass(.seconds(200))
        #expect(first.provider.checkCount == 0)
        #expect(try first.state(of: idle).name == .created)
        #expect(try first.state(of: login).name == .pending)
        first.nodes?.isLeaseHeld = true
        await first.pass(.seconds(2))
        #expect(try first.state(of: idle).name == .failed)
        #expect(try first.state(of: login).name == .failed)
    }

    @Test func `two daemons that both follow an operation for a moment open one session`() async throws {
        let login = try await first.begin()
        let scan = try await first.open(login)
        second.nodes?.adopted = [NodeName(slot: 0)]
        await second.service.readAdopted()
        first.provider.answer(scan, .approved)
        await first.pass(.seconds(2))
        await second.pass(.seconds(2))
        let views = [try await first.poll(login), try await second.poll(login)]
        #expect(first.sessionCount == 1)
        #expect(views.contains { if case .completed = $0 { true } else { false } })
        #expect(first.environment(of: login).filter { $0 == .approved }.count == 1)
    }

    // T-272
    @Test(arguments: ["", "no ticket", String(repeating: "A", count: 43)])
    func `attack: a guessed ticket or id costs no read`(_ ticket: String) async throws {
        let reads = second.disk.tally.reads
        try await second.service.load(ticket: ticket)
        try await second.service.load(UUIDBits(high: 0x4000, low: 1 << 63))
        #expect(second.disk.tally.reads == reads)
        let login = try await first.begin()
        try await second.service.load(login.begun.publicID)
        #expect(second.disk.tally.reads == reads + 1)
    }

    @Test func `after a gap also what nobody waits for is read again, when it is asked for or within half a minute`()
        async throws
    {
        let (awaited, left) = (try await first.begin(), try await first.begin())
        let scan = try await second.open(awaited)
        second.provider.answer(scan, .approved)
        try await second.open(left)
        await second.pass(.seconds(6))
        // The first one has heard nothing, and nobody polls there now.
        await first.service.take(.gap)
        guard case .completed = try await first.poll(awaited) else {
            Issue.record("the approval was not seen")
            return
        }
        await first.pass(.seconds(25))
        #expect(first.service.cache.card(left.publicID)?.operation.state.name == .pending)
    }

    @Test func `a daemon with another name reads what that name has left, and what it wrote before`() async throws {
        let (own, strange) = (try await second.begin(), try await first.begin())
        _ = try second.stored(own)
        // The first one has stopped in order, and its name is given to the second, whose own was taken over.
        second.nodes?.node = .first
        #expect(second.service.hasAdoptions)
        await second.service.readAdopted()
        await second.pass(.seconds(190))
        #expect(try second.state(of: strange).name == .failed)
        #expect(try second.state(of: own).name == .created, "another daemon follows it")
    }

    // T-008
    @Test func `attack: a login that failed elsewhere looks unopened to the bare id, as it does there`() async throws {
        let login = try await first.begin()
        _ = try await first.service.cancel(login.publicID, login.rightful)
        let stranger = Caller(fingerprint: Digest256(sha256: "another machine"))
        let there = try await first.poll(login, stranger)
        #expect(try await second.poll(login, stranger) == there)
        #expect(try await second.poll(login) == .failed(.canceled, seq: 2))
        let again = try await second.restarted()
        #expect(try await again.poll(login, stranger) == there)
    }

    @Test func `a start without other daemons reads no live operation of another`() async throws {
        let login = try await first.begin()
        #expect(try await second.service.recover() == 0)
        let other = try await second.begin()
        let again = try await second.restarted()
        #expect(again.service.cache.card(other.publicID) != nil)
        #expect(again.service.cache.card(login.publicID) == nil)
    }
}
