import Kernel
import MemoryStore
import Testing

@testable import Operations

struct OrphanedScanTests {
    @Test func `a scan is ended once its login is cancelled, and not on the way of the request`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let scan = try await harness.open(login)
        _ = try await harness.service.cancel(login.publicID, login.rightful)
        #expect(harness.provider.canceled == [])
        await harness.watcher.endOrphanedScans()
        #expect(harness.provider.canceled == [scan])
        await harness.watcher.endOrphanedScans()
        #expect(harness.provider.canceled == [scan], "once")
    }

    @Test func `starting over in another browser cancels the first scan at the provider, and not the new one`()
        async throws
    {
        let harness = Harness()
        let login = try await harness.begin()
        let first = try await harness.open(login, browser: "one")
        let second = try await harness.open(login, browser: "two")
        await harness.watcher.endOrphanedScans()
        #expect(first != second)
        #expect(harness.provider.canceled == [first])
        harness.provider.answer(second, .approved)
        await harness.pass(.seconds(6))
        #expect(try harness.state(of: login).name == .approved)
    }

    @Test func `a scan of an account that is blocked is ended`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let scan = try await harness.open(login)
        #expect(try await harness.service.block(Harness.person.account) == 1)
        await harness.watcher.endOrphanedScans()
        #expect(harness.provider.canceled == [scan])
    }

    @Test func `a scan that has ended is not cancelled at the provider`() async throws {
        let harness = Harness()
        for status in [ScanStatus.approved, .rejected(.notMatched), .canceled, .expired, .broken] {
            let login = try await harness.begin()
            harness.provider.answer(try await harness.open(login), status)
            await harness.pass(.seconds(6))
            _ = try await harness.service.cancel(login.publicID, login.rightful)
        }
        let expired = try await harness.begin()
        try await harness.open(expired)
        await harness.pass(.seconds(181))
        await harness.watcher.endOrphanedScans()
        #expect(harness.provider.canceled == [])
    }

    @Test func `a cancelled login without a scan calls no provider`() async throws {
        let harness = Harness()
        for email in [Harness.person.email, "nobody@example.com"] {
            let login = try await harness.begin(email: email)
            _ = try await harness.service.cancel(login.publicID, login.rightful)
        }
        await harness.watcher.endOrphanedScans()
        #expect(harness.provider.calls == [])
    }

    @Test func `a provider without cancellation is not asked, and a failed cancellation changes nothing`() async throws
    {
        let unable = Harness(provider: ScriptedFaceProvider(cancelsScans: false))
        let first = try await unable.begin()
        try await unable.open(first)
        _ = try await unable.service.cancel(first.publicID, first.rightful)
        await unable.watcher.endOrphanedScans()
        #expect(unable.provider.canceled == [])

        let failing = Harness()
        let second = try await failing.begin()
        let scan = try await failing.open(second)
        failing.provider.fail(with: .unavailable(cause: "down"))
        _ = try await failing.service.cancel(second.publicID, second.rightful)
        await failing.watcher.endOrphanedScans()
        #expect(failing.provider.canceled == [scan])
        #expect(try await failing.poll(second).failure == .canceled)
        #expect(failing.service.providerHealth.values.allSatisfy { $0 }, "nobody waits for it, so it is no outage")
    }

    @Test func `the list is bounded, and so are the requests in progress`() {
        let scans = OrphanedScans()
        let item = OrphanedScans.Item(reference: ProviderReference("x"), provider: ProviderName("p"))
        for _ in 0..<2000 { scans.add(item) }
        #expect(scans.count == OrphanedScans.capacity)
        #expect(scans.take().count == OrphanedScans.concurrency)
        #expect(scans.take().isEmpty)
        scans.done()
        #expect(scans.take().count == 1)
    }
}
