import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

/// A provider that answers two starts with one scan: one face must not approve both.
@Suite(.timeLimit(.minutes(5))) struct SameScanTests {
    private let bench = Bench()
    private let scan = ProviderReference("always-this-one")

    private func open(_ login: Login, browser: String = "another browser") async throws -> OpenOutcome {
        try await bench.service.open(ticket: login.ticket, browserCookie: Secret(browser))
    }

    @Test func `attack: two logins with one scan are one login, and the other ends as the provider's error`()
        async throws
    {
        bench.provider.name(scans: scan)
        let first = try await bench.begin()
        try await bench.open(first)
        let second = try await bench.begin()
        #expect(try await open(second) == .providerDown)
        #expect(try bench.state(of: second).name == .opened)
        #expect(bench.environment(of: second).last == .scanRefused)
        bench.provider.answer(scan, .approved)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(first).grant != nil)
        #expect(try await bench.poll(second).grant == nil)
        await bench.pass(.seconds(180))
        #expect(try await bench.poll(second).failure == .providerError)
        #expect(bench.sessionCount == 1)
    }

    @Test func `attack: a scan that was decided decides nothing more, also after a restart`() async throws {
        bench.provider.name(scans: scan)
        let first = try await bench.begin()
        try await bench.open(first)
        bench.provider.answer(scan, .approved)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(first).grant != nil)
        let next = try await bench.restarted()
        await next.pass(.seconds(3600))
        let second = try await next.begin()
        #expect(try await next.service.open(ticket: second.ticket, browserCookie: nil) == .providerDown)
        await next.pass(.seconds(10))
        #expect(try await next.poll(second).grant == nil)
        #expect(next.sessionCount == 1)
    }

    @Test func `attack: who starts over gets a scan of his own, or none`() async throws {
        bench.provider.name(scans: scan)
        let login = try await bench.begin()
        try await bench.open(login)
        #expect(try await open(login) == .providerDown, "the scan that would be abandoned would go on")
        bench.provider.answer(scan, .approved)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(login).grant != nil, "the one in progress is not harmed")
    }

    @Test func `a new name helps, and two providers may use the same one`() async throws {
        bench.provider.name(scans: scan)
        try await bench.open(try await bench.begin())
        let second = try await bench.begin()
        #expect(try await open(second) == .providerDown)
        bench.provider.name(scans: nil)
        let own = try await bench.open(second)
        bench.provider.answer(own, .approved)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(second).grant != nil)
    }
}
