import Kernel
import MemoryStore
import Testing

@testable import Operations

/// Several engines over one store: any of them takes any step of a login.
struct StepsAcrossDaemonsTests {
    private let first = Harness(nodes: ScriptedNodes(0))
    private let second: Harness

    init() { second = first.beside(as: ScriptedNodes(1)) }

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

    // T-001
    @Test func `attack: who collected with the id alone gets nothing more once its client has bound it elsewhere`()
        async throws
    {
        let login = try await first.begin(codeVerifier: nil)
        let scan = try await first.open(login)
        first.provider.answer(scan, .approved)
        await first.pass(.seconds(6))
        let thief = Caller(fingerprint: Digest256(sha256: "another machine"))
        for _ in 0..<2 {
            guard case .completed = try await first.poll(login, thief) else {
                Issue.record("an unbound login is its first caller's")
                return
            }
        }
        // The first poll reads the login, and the next one binds it.
        for _ in 0..<2 { _ = try await second.poll(login) }
        await second.watcher.keepBindings(isLast: true)
        // No message of the binding has arrived.
        let again = try await first.poll(login, thief)
        guard case .pending(.created, 1, _) = again else {
            Issue.record("\(again)")
            return
        }
    }

    // T-001
    @Test func `attack: who knows the id alone sees no progress once its client has bound it on another daemon`()
        async throws
    {
        let login = try await first.begin(codeVerifier: nil)
        try await first.open(login)
        let thief = Caller(fingerprint: Digest256(sha256: "another machine"))
        guard case .pending(.userInProvider, _, _) = try await second.poll(login, thief) else {
            Issue.record("an unbound login shows its progress")
            return
        }
        _ = try await first.poll(login)
        await first.watcher.keepBindings()
        for message in first.feed.take() { await second.service.take(.message(message)) }
        let seen = try await second.poll(login, thief)
        guard case .pending(.created, 1, _) = seen else {
            Issue.record("\(seen)")
            return
        }
    }

    // T-001
    @Test func `attack: who knows the id alone collects nothing where the client's binding was not heard of`()
        async throws
    {
        let login = try await first.begin(codeVerifier: nil)
        let scan = try await first.open(login)
        let thief = Caller(fingerprint: Digest256(sha256: "another machine"))
        // The client's poll binds the login to its cookie there, and the row says so only after the approval.
        _ = try await second.poll(login)
        first.provider.answer(scan, .approved)
        await first.pass(.seconds(6))
        await second.watcher.keepBindings(isLast: true)
        let stolen = try await first.poll(login, thief)
        guard case .pending = stolen else {
            Issue.record("\(stolen)")
            return
        }
        for message in first.feed.take() { await second.service.take(.message(message)) }
        guard case .completed = try await second.poll(login) else {
            Issue.record("the client got nothing")
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
}
