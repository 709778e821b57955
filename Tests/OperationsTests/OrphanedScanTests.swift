import Kernel
import MemoryStore
import Testing

@testable import Operations

struct OrphanedScanTests {
    @Test func `a scan is ended once its login is cancelled, and not on the way of the request`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let scan = try await bench.open(login)
        _ = try await bench.service.cancel(login.publicID, login.rightful)
        #expect(bench.provider.canceled == [])
        await bench.watcher.endOrphanedScans()
        #expect(bench.provider.canceled == [scan])
        await bench.watcher.endOrphanedScans()
        #expect(bench.provider.canceled == [scan], "once")
    }

    @Test func `a scan that another browser left behind is ended, and the new one is not`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let first = try await bench.open(login, browser: "one")
        let second = try await bench.open(login, browser: "two")
        await bench.watcher.endOrphanedScans()
        #expect(first != second)
        #expect(bench.provider.canceled == [first])
        bench.provider.answer(second, .approved)
        await bench.pass(.seconds(6))
        #expect(try bench.state(of: login).name == .approved)
    }

    @Test func `a scan of an account that is blocked is ended`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let scan = try await bench.open(login)
        #expect(try await bench.service.block(Bench.person.account) == 1)
        await bench.watcher.endOrphanedScans()
        #expect(bench.provider.canceled == [scan])
    }

    @Test func `a scan that came to its own end needs none`() async throws {
        let bench = Bench()
        for status in [ScanStatus.approved, .rejected(.notMatched), .canceled, .expired, .broken] {
            let login = try await bench.begin()
            bench.provider.answer(try await bench.open(login), status)
            await bench.pass(.seconds(6))
            _ = try await bench.service.cancel(login.publicID, login.rightful)
        }
        let expired = try await bench.begin()
        try await bench.open(expired)
        await bench.pass(.seconds(181))
        await bench.watcher.endOrphanedScans()
        #expect(bench.provider.canceled == [])
    }

    @Test func `a login that was never opened, and a decoy, have none`() async throws {
        let bench = Bench()
        for email in [Bench.person.email, "nobody@example.com"] {
            let login = try await bench.begin(email: email)
            _ = try await bench.service.cancel(login.publicID, login.rightful)
        }
        await bench.watcher.endOrphanedScans()
        #expect(bench.provider.calls == [])
    }

    @Test func `a provider that can't is not asked, and one that fails changes nothing`() async throws {
        let unable = Bench(provider: ScriptedFaceProvider(cancelsScans: false))
        let first = try await unable.begin()
        try await unable.open(first)
        _ = try await unable.service.cancel(first.publicID, first.rightful)
        await unable.watcher.endOrphanedScans()
        #expect(unable.provider.canceled == [])

        let failing = Bench()
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
