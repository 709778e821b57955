import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

/// A provider that answers two starts with one scan: one face must not approve both.
@Suite(.timeLimit(.minutes(5))) struct SameScanTests {
    private let harness = Harness()
    private let scan = ProviderReference("always-this-one")

    private func open(_ login: Login, browser: String = "another browser") async throws -> OpenOutcome {
        try await harness.service.open(ticket: login.ticket, browserCookie: Secret(browser))
    }

    // T-054
    @Test func `attack: a second login for which the provider names the same scan ends with provider_error`()
        async throws
    {
        harness.provider.name(scans: scan)
        let first = try await harness.begin()
        try await harness.open(first)
        let second = try await harness.begin()
        #expect(try await open(second) == .providerDown)
        #expect(try harness.state(of: second).name == .opened)
        #expect(harness.environment(of: second).last == .scanRefused)
        harness.provider.answer(scan, .approved)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(first).grant != nil)
        #expect(try await harness.poll(second).grant == nil)
        await harness.pass(.seconds(180))
        #expect(try await harness.poll(second).failure == .providerError)
        #expect(harness.sessionCount == 1)
    }

    // T-054
    @Test func `attack: a decided scan approves no second login, also after a restart`() async throws {
        harness.provider.name(scans: scan)
        let first = try await harness.begin()
        try await harness.open(first)
        harness.provider.answer(scan, .approved)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(first).grant != nil)
        let next = try await harness.restarted()
        await next.pass(.seconds(3600))
        let second = try await next.begin()
        #expect(try await next.service.open(ticket: second.ticket, browserCookie: nil) == .providerDown)
        await next.pass(.seconds(10))
        #expect(try await next.poll(second).grant == nil)
        #expect(next.sessionCount == 1)
    }

    // T-054
    @Test func `attack: starting over with the same scan name is refused, and the scan in progress continues`()
        async throws
    {
        harness.provider.name(scans: scan)
        let login = try await harness.begin()
        try await harness.open(login)
        #expect(try await open(login) == .providerDown, "the scan that would be abandoned would go on")
        harness.provider.answer(scan, .approved)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(login).grant != nil, "the one in progress is not harmed")
    }

    @Test func `a second login begins with another scan name, and two providers may use the same name`() async throws {
        harness.provider.name(scans: scan)
        try await harness.open(try await harness.begin())
        let second = try await harness.begin()
        #expect(try await open(second) == .providerDown)
        harness.provider.name(scans: nil)
        let own = try await harness.open(second)
        harness.provider.answer(own, .approved)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(second).grant != nil)
    }
}
