import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite(.timeLimit(.minutes(1))) struct PollTests {
    @Test func `a poll touches neither store nor provider`() async throws {
        let bench = Bench()
        let waiting = try await bench.begin()
        let opened = try await bench.begin()
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        _ = try await bench.service.open(ticket: opened.ticket, browserCookie: nil)
        bench.provider.fail(with: nil)
        let pending = try await bench.begin()
        try await bench.open(pending)
        let cancelled = try await bench.begin()
        _ = try await bench.service.cancel(cancelled.publicID, cancelled.rightful)
        let approved = try await bench.approved()
        let closed = try await bench.approved()
        _ = try await bench.poll(closed)
        _ = try await bench.service.acknowledge(closed.publicID, closed.rightful)

        let before = (bench.disk.tally, bench.provider.calls)
        for login in [waiting, opened, pending, cancelled, closed] {
            for caller in [login.rightful, Login.bare(), login.withCookie] { _ = try await bench.poll(login, caller) }
        }
        _ = try await bench.poll(approved, Login.bare())
        #expect(bench.disk.tally == before.0)
        #expect(bench.provider.calls == before.1)
    }

    @Test func `an id that nobody was given is unknown`() async throws {
        #expect(try await Bench().service.poll(Digest256(sha256: "a guess"), Login.bare()) == nil)
    }

    @Test func `who lacks the verifier sees pending and then expired, whatever happens`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        let strangers = [Login.bare(), login.withCookie, Caller(challenge: Digest256(sha256: "a guess"))]
        for stranger in strangers {
            let view = try await bench.poll(login, stranger)
            #expect(view.hint == .created && view.seq == 1)
        }
        #expect(try await bench.poll(login).grant != nil)
        for stranger in strangers { #expect(try await bench.poll(login, stranger).hint == .created) }
        await bench.pass(.seconds(180))
        for stranger in strangers { #expect(try await bench.poll(login, stranger) == .failed(.expired, seq: 2)) }
        #expect(bench.sessionCount == 1)
    }

    @Test func `the first poll with the cookie binds, and the next write keeps that`() async throws {
        let bench = Bench()
        let login = try await bench.begin(codeVerifier: nil)
        try await bench.open(login)
        #expect(try await bench.poll(login, Login.bare()).hint == .userInProvider)
        #expect(try await bench.poll(login, login.withCookie).hint == .userInProvider)
        #expect(try await bench.poll(login, Login.bare()).hint == .created, "from now on the id alone is nothing")
        #expect(try !bench.stored(login).isBound)
        bench.provider.answer(ProviderReference("scan-1"), .approved)
        await bench.pass(.seconds(6))
        #expect(try bench.stored(login).isBound)
        let next = try await bench.restarted()
        #expect(try await next.poll(login, Login.bare()).hint == .created)
        #expect(try await next.poll(login, login.withCookie).grant != nil)
    }

    @Test func `what a poll has bound stays so after a restart, without another transition`() async throws {
        let bench = Bench()
        let login = try await bench.begin(codeVerifier: nil)
        try await bench.open(login)
        _ = try await bench.poll(login, login.withCookie)
        bench.disk.failNextUnit(.beforeCommit)
        await bench.watcher.keepBindings()
        #expect(try !bench.stored(login).isBound, "the store was down")
        await bench.watcher.keepBindings()
        #expect(try !bench.stored(login).isBound, "which is not asked at every beat")
        bench.time.advance(by: .milliseconds(500))
        await bench.watcher.keepBindings()
        let stored = try bench.stored(login)
        #expect(stored.isBound && stored.state.name == .pending)
        let next = try await bench.restarted()
        #expect(try await next.poll(login, Login.bare()).hint == .created)
        next.provider.answer(ProviderReference("scan-1"), .approved)
        await next.pass(.seconds(6))
        #expect(try await next.poll(login, Login.bare()).grant == nil)
        #expect(try await next.poll(login, login.withCookie).grant != nil)
    }

    @Test func `a shutdown just after a failed write keeps what polls have bound`() async throws {
        let bench = Bench()
        let login = try await bench.begin(codeVerifier: nil)
        try await bench.open(login)
        _ = try await bench.poll(login, login.withCookie)
        bench.disk.failNextUnit(.beforeCommit)
        await bench.watcher.keepBindings()
        #expect(try !bench.stored(login).isBound, "the store was down")
        let watcher = bench.watcher
        // As the daemon stops it: cancelled before its first beat is over.
        let run = Task { await watcher.run() }
        run.cancel()
        await run.value
        #expect(try bench.stored(login).isBound)
        let next = try await bench.restarted()
        #expect(try await next.poll(login, Login.bare()).hint == .created)
    }

    @Test func `attack: a caller with the id and another cookie shuts nobody out`() async throws {
        let bench = Bench()
        let login = try await bench.begin(codeVerifier: nil)
        let guess = Caller(bindingCookie: Digest256(sha256: "a guess"), fingerprint: Digest256(sha256: "away"))
        _ = try await bench.poll(login, guess)
        try await bench.open(login)
        #expect(try await bench.poll(login, Login.bare()).hint == .userInProvider)
    }

    @Test func `who went away while it waited collects nothing, and finds it when it is back`() async throws {
        let bench = Bench()
        let login = try await bench.approved(codeVerifier: nil)
        guard case .pending(.processing, _, _)? = try await bench.service.viewOnDisconnect(login.publicID, Login.bare())
        else {
            Issue.record("not pending")
            return
        }
        #expect(try bench.state(of: login).name == .approved)
        #expect(try await bench.poll(login, Login.bare()).grant != nil)
        guard case .delivered? = try await bench.service.viewOnDisconnect(login.publicID, Login.bare()) else {
            Issue.record("not delivered")
            return
        }
    }

    @Test func `a write that lost its race carries the binding along`() async throws {
        let bench = Bench()
        let login = try await bench.begin(codeVerifier: nil)
        let reference = try await bench.open(login)
        let unbound = try bench.stored(login)
        // This one is durable although it reports a fault: the cache still has the version before it.
        bench.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) {
            try await bench.service.observe(.pending(.processing), of: reference, for: unbound)
        }
        _ = try await bench.poll(login, login.withCookie)
        try await bench.service.observe(.approved, of: reference, for: unbound)
        #expect(try bench.state(of: login).name == .approved)
        #expect(try bench.stored(login).isBound)
    }

    @Test func `a binding that comes during a check is kept by that check's write`() async throws {
        let gate = Gate()
        let provider = ScriptedFaceProvider(onCall: { call in if case .check = call { await gate.pass() } })
        let bench = Bench(provider: provider)
        let login = try await bench.begin(codeVerifier: nil)
        provider.answer(try await bench.open(login), .approved)
        bench.time.advance(by: .seconds(6))
        let checks = bench.watcher.tick()
        try #require(checks.count == 1)
        let check = Task { await bench.watcher.check(checks[0]) }
        await until { provider.checkCount == 1 }
        #expect(try await bench.poll(login, login.withCookie).hint == .userInProvider)
        await gate.open()
        await check.value
        #expect(try bench.state(of: login).name == .approved)
        #expect(try bench.stored(login).isBound)
        let next = try await bench.restarted()
        #expect(try await next.poll(login, Login.bare()).grant == nil)
    }

    @Test func `an outage lies over the hint and does not count as a change`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        try await bench.open(login)
        let seq = try await bench.poll(login).seq
        bench.provider.fail(with: .unavailable(cause: "an outage"))
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(login).hint == .providerDegraded)
        #expect(try await bench.poll(login).seq == seq)
        let untouched = try await bench.begin()
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(untouched).hint == .providerDegraded, "two failures are the provider's")
        bench.provider.fail(with: nil)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(login).hint == .userInProvider)
        #expect(try await bench.poll(untouched).hint == .created)
    }

    @Test func `a client that begins to wait does not sit out a cold interval`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        try await bench.open(login)
        await bench.pass(.milliseconds(500))
        #expect(bench.provider.checkCount == 0)
        _ = try await bench.poll(login)
        await bench.pass(.seconds(1))
        #expect(bench.provider.checkCount == 1)
    }

    @Test func `an operation that has left the cache is still known`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        _ = try await bench.service.cancel(login.publicID, login.rightful)
        await bench.pass(.seconds(601))
        #expect(bench.service.cache.count == 0)
        let before = bench.disk.tally
        #expect(try await bench.poll(login) == .failed(.canceled, seq: 2))
        #expect((bench.disk.tally - before).reads == 1)
    }
}
