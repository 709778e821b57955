import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

// T-237
@Suite(.timeLimit(.minutes(1))) struct PollTests {
    @Test func `a poll touches neither store nor provider`() async throws {
        let harness = Harness()
        let waiting = try await harness.begin()
        let opened = try await harness.begin()
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        _ = try await harness.service.open(ticket: opened.ticket, browserCookie: nil)
        harness.provider.fail(with: nil)
        let pending = try await harness.begin()
        try await harness.open(pending)
        let cancelled = try await harness.begin()
        _ = try await harness.service.cancel(cancelled.publicID, cancelled.rightful)
        let approved = try await harness.approved()
        let closed = try await harness.approved()
        _ = try await harness.poll(closed)
        _ = try await harness.service.acknowledge(closed.publicID, closed.rightful)

        let before = (harness.disk.tally, harness.provider.calls)
        for login in [waiting, opened, pending, cancelled, closed] {
            for caller in [login.rightful, Login.bare(), login.withCookie] { _ = try await harness.poll(login, caller) }
        }
        _ = try await harness.poll(approved, Login.bare())
        #expect(harness.disk.tally == before.0)
        #expect(harness.provider.calls == before.1)
    }

    @Test func `an id that nobody was given is unknown`() async throws {
        #expect(try await Harness().service.poll(Digest256(sha256: "a guess"), Login.bare()) == nil)
    }

    // T-001
    @Test func `a poll without the verifier sees created and then expired, also of an approved login`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        let outsiders = [Login.bare(), login.withCookie, Caller(challenge: Digest256(sha256: "a guess"))]
        for outsider in outsiders {
            let view = try await harness.poll(login, outsider)
            #expect(view.hint == .created && view.seq == 1)
        }
        #expect(try await harness.poll(login).grant != nil)
        for outsider in outsiders { #expect(try await harness.poll(login, outsider).hint == .created) }
        await harness.pass(.seconds(180))
        for outsider in outsiders { #expect(try await harness.poll(login, outsider) == .failed(.expired, seq: 2)) }
        #expect(harness.sessionCount == 1)
    }

    @Test func `the first poll with the cookie binds the login, and the next write stores the binding`() async throws {
        let harness = Harness()
        let login = try await harness.begin(codeVerifier: nil)
        try await harness.open(login)
        #expect(try await harness.poll(login, Login.bare()).hint == .userInProvider)
        #expect(try await harness.poll(login, login.withCookie).hint == .userInProvider)
        #expect(try await harness.poll(login, Login.bare()).hint == .created, "from now on the id alone is nothing")
        #expect(try !harness.stored(login).credentials.isBound)
        harness.provider.answer(ProviderReference("scan-1"), .approved)
        await harness.pass(.seconds(6))
        #expect(try harness.stored(login).credentials.isBound)
        let next = try await harness.restarted()
        #expect(try await next.poll(login, Login.bare()).hint == .created)
        #expect(try await next.poll(login, login.withCookie).grant != nil)
    }

    @Test func `what a poll has bound stays so after a restart, without another transition`() async throws {
        let harness = Harness()
        let login = try await harness.begin(codeVerifier: nil)
        try await harness.open(login)
        _ = try await harness.poll(login, login.withCookie)
        harness.disk.failNextUnit(.beforeCommit)
        await harness.watcher.keepBindings()
        #expect(try !harness.stored(login).credentials.isBound, "the store was down")
        await harness.watcher.keepBindings()
        #expect(try !harness.stored(login).credentials.isBound, "which is not asked at every beat")
        harness.time.advance(by: .milliseconds(500))
        await harness.watcher.keepBindings()
        let stored = try harness.stored(login)
        #expect(stored.credentials.isBound && stored.state.name == .pending)
        let next = try await harness.restarted()
        #expect(try await next.poll(login, Login.bare()).hint == .created)
        next.provider.answer(ProviderReference("scan-1"), .approved)
        await next.pass(.seconds(6))
        #expect(try await next.poll(login, Login.bare()).grant == nil)
        #expect(try await next.poll(login, login.withCookie).grant != nil)
    }

    @Test func `a shutdown just after a failed write keeps what polls have bound`() async throws {
        let harness = Harness()
        let login = try await harness.begin(codeVerifier: nil)
        try await harness.open(login)
        _ = try await harness.poll(login, login.withCookie)
        harness.disk.failNextUnit(.beforeCommit)
        await harness.watcher.keepBindings()
        #expect(try !harness.stored(login).credentials.isBound, "the store was down")
        let watcher = harness.watcher
        // As the daemon stops it: cancelled before its first beat is over.
        let run = Task { await watcher.run() }
        run.cancel()
        await run.value
        #expect(try harness.stored(login).credentials.isBound)
        let next = try await harness.restarted()
        #expect(try await next.poll(login, Login.bare()).hint == .created)
    }

    // T-001
    @Test func `attack: a poll with a wrong cookie does not bind the login away from its client`() async throws {
        let harness = Harness()
        let login = try await harness.begin(codeVerifier: nil)
        let guess = Caller(bindingCookie: Digest256(sha256: "a guess"), fingerprint: Digest256(sha256: "away"))
        _ = try await harness.poll(login, guess)
        try await harness.open(login)
        #expect(try await harness.poll(login, Login.bare()).hint == .userInProvider)
    }

    @Test func `a poll whose client disconnected does not redeem, and a later poll does`() async throws {
        let harness = Harness()
        let login = try await harness.approved(codeVerifier: nil)
        guard
            case .pending(.processing, _, _)? = try await harness.service.viewOnDisconnect(login.publicID, Login.bare())
        else {
            Issue.record("not pending")
            return
        }
        #expect(try harness.state(of: login).name == .approved)
        #expect(try await harness.poll(login, Login.bare()).grant != nil)
        guard case .delivered? = try await harness.service.viewOnDisconnect(login.publicID, Login.bare()) else {
            Issue.record("not delivered")
            return
        }
    }

    @Test func `a write repeated after a conflict keeps the binding`() async throws {
        let harness = Harness()
        let login = try await harness.begin(codeVerifier: nil)
        let reference = try await harness.open(login)
        let unbound = try harness.stored(login)
        // This one is durable although it reports a fault: the cache still has the version before it.
        harness.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) {
            try await harness.service.observe(.pending(.processing), of: reference, for: unbound)
        }
        _ = try await harness.poll(login, login.withCookie)
        try await harness.service.observe(.approved, of: reference, for: unbound)
        #expect(try harness.state(of: login).name == .approved)
        #expect(try harness.stored(login).credentials.isBound)
    }

    @Test func `a binding that comes during a check is kept by that check's write`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider(onCall: { call in if case .check = call { await gate.pass() } })
        let harness = Harness(provider: provider)
        let login = try await harness.begin(codeVerifier: nil)
        provider.answer(try await harness.open(login), .approved)
        harness.time.advance(by: .seconds(6))
        let checks = harness.watcher.tick()
        try #require(checks.count == 1)
        let check = Task { await harness.watcher.check(checks[0]) }
        await until { provider.checkCount == 1 }
        #expect(try await harness.poll(login, login.withCookie).hint == .userInProvider)
        await gate.open()
        await check.value
        #expect(try harness.state(of: login).name == .approved)
        #expect(try harness.stored(login).credentials.isBound)
        let next = try await harness.restarted()
        #expect(try await next.poll(login, Login.bare()).grant == nil)
    }

    @Test func `an outage changes the hint of a poll and not its seq`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        try await harness.open(login)
        let seq = try await harness.poll(login).seq
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(login).hint == .providerDegraded)
        #expect(try await harness.poll(login).seq == seq)
        let untouched = try await harness.begin()
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(untouched).hint == .providerDegraded, "two failures are the provider's")
        harness.provider.fail(with: nil)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(login).hint == .userInProvider)
        #expect(try await harness.poll(untouched).hint == .created)
    }

    @Test func `a client that begins to wait does not sit out a cold interval`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        try await harness.open(login)
        await harness.pass(.milliseconds(500))
        #expect(harness.provider.checkCount == 0)
        _ = try await harness.poll(login)
        await harness.pass(.seconds(1))
        #expect(harness.provider.checkCount == 1)
    }

    @Test func `an operation that left the cache is read from the store once a poll asks`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        _ = try await harness.service.cancel(login.publicID, login.rightful)
        await harness.pass(.seconds(601))
        #expect(harness.service.cache.count == 0)
        let before = harness.disk.tally
        #expect(try await harness.poll(login) == .failed(.canceled, seq: 2))
        #expect((harness.disk.tally - before).reads == 1)
    }
}
