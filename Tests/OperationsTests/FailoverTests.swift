import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite(.timeLimit(.minutes(5))) struct FailoverTests {
    private static let standbyName = ProviderName("standby")

    private static func bench(enrolledThere: Bool = true) -> Bench {
        var person = Bench.person
        person.elsewhere[standbyName] = enrolledThere ? "robin-at-standby" : .some(nil)
        return Bench(disk: MemoryDisk(people: [person]), standby: ScriptedFaceProvider(name: standbyName))
    }

    private static let notStarted: [ProviderError] = [
        .unreached(cause: "no connection"), .heldBack(cause: "its circuit is open"),
    ]

    @Test(arguments: notStarted)
    func `a scan that was surely not begun is begun at the next provider, and followed there`(
        _ failure: ProviderError
    ) async throws {
        let bench = Self.bench()
        let standby = try #require(bench.standby)
        bench.provider.fail(with: failure)
        let login = try await bench.begin()
        let outcome = try await bench.service.open(ticket: login.ticket, browserCookie: Secret("browser"))
        guard case .toProvider = outcome else { throw Unexpected(what: "\(outcome)") }
        guard case .begin(let request) = standby.calls.first else { throw Unexpected(what: "\(standby.calls)") }
        #expect(request.enrolment == "robin-at-standby")
        #expect(try bench.stored(login).provider == Self.standbyName)
        #expect(bench.disk.tables.auditLog.last?.detail == "attempt 1 at standby")
        let asked = bench.provider.calls.count
        standby.answer(try #require(standby.newest), .approved)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(login).grant != nil)
        #expect(bench.provider.calls.count == asked, "the one that was left behind is not asked")
    }

    @Test(arguments: [ProviderError.unavailable(cause: "a timeout"), .refused(cause: "locked out")])
    func `a scan that may have been begun, or was refused, is not begun a second time`(
        _ failure: ProviderError
    ) async throws {
        let bench = Self.bench()
        bench.provider.fail(with: failure)
        let login = try await bench.begin()
        #expect(try await bench.service.open(ticket: login.ticket, browserCookie: nil) == .providerDown)
        #expect(bench.standby?.calls.isEmpty == true)
        #expect(try bench.stored(login).provider == bench.provider.name)
    }

    @Test func `a provider whose circuit is open is degraded at the first call that is held back`() async throws {
        let bench = Self.bench(enrolledThere: false)
        bench.provider.fail(with: .heldBack(cause: "too many calls wait for it"))
        let login = try await bench.begin()
        _ = try await bench.service.open(ticket: login.ticket, browserCookie: nil)
        #expect(bench.service.providerHealth[bench.provider.name] == true, "a crowd of ours is no outage")
        bench.provider.switchCircuit(to: .open)
        _ = try await bench.service.open(ticket: login.ticket, browserCookie: nil)
        #expect(bench.service.providerHealth[bench.provider.name] == false)
    }

    @Test func `and so it is when a check is the first to hear of it`() async throws {
        let bench = Self.bench()
        let login = try await bench.begin()
        try await bench.open(login)
        bench.provider.fail(with: .heldBack(cause: "its circuit is open"))
        bench.provider.switchCircuit(to: .open)
        await bench.pass(.seconds(7))
        #expect(bench.service.providerHealth[bench.provider.name] == false)
    }

    @Test func `while the usual provider is well nobody else is asked`() async throws {
        let bench = Self.bench()
        let login = try await bench.begin()
        try await bench.open(login)
        await bench.pass(.seconds(60))
        #expect(bench.standby?.calls.isEmpty == true)
    }

    @Test func `who is not enrolled there is told that the provider is down`() async throws {
        let bench = Self.bench(enrolledThere: false)
        bench.provider.fail(with: .heldBack(cause: "its circuit is open"))
        let login = try await bench.begin()
        #expect(try await bench.service.open(ticket: login.ticket, browserCookie: nil) == .providerDown)
        #expect(bench.standby?.calls.isEmpty == true)
        #expect(try bench.state(of: login).name == .opened)
    }

    @Test func `attack: an approval by the provider that was left behind grants nothing, whatever the scan's name`()
        async throws
    {
        let bench = Self.bench()
        let standby = try #require(bench.standby)
        let login = try await bench.begin()
        let abandoned = try await bench.open(login)
        let before = try bench.stored(login)
        bench.provider.fail(with: .heldBack(cause: "its circuit is open"))
        _ = try await bench.service.open(ticket: login.ticket, browserCookie: Secret("another browser"))
        #expect(standby.newest == abandoned, "both call it scan-1")
        try await bench.service.observe(.approved, of: abandoned, for: before)
        #expect(try bench.state(of: login).name == .pending)
        #expect(bench.environment(of: login).last == .lateVerdict)
        standby.answer(abandoned, .rejected(.notMatched))
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(login).failure == .notMatched)
        try await bench.service.observe(.approved, of: abandoned, for: before)
        #expect(bench.sessionCount == 0)
    }

    @Test func `after a restart of the daemon the provider that scans is asked`() async throws {
        let bench = Self.bench()
        let standby = try #require(bench.standby)
        bench.provider.fail(with: .unreached(cause: "no connection"))
        let login = try await bench.begin()
        _ = try await bench.service.open(ticket: login.ticket, browserCookie: nil)
        let next = try await bench.restarted()
        let asked = bench.provider.calls.count
        standby.answer(try #require(standby.newest), .approved)
        await next.pass(.seconds(2))
        #expect(try await next.poll(login).grant != nil)
        #expect(bench.provider.calls.count == asked)
    }

    @Test func `starting over goes back to the usual provider once it is well`() async throws {
        let bench = Self.bench()
        bench.provider.fail(with: .unreached(cause: "no connection"))
        let login = try await bench.begin()
        _ = try await bench.service.open(ticket: login.ticket, browserCookie: nil)
        bench.provider.fail(with: nil)
        let reference = try await bench.open(login, browser: "another browser")
        #expect(try bench.stored(login).provider == bench.provider.name)
        bench.provider.answer(reference, .approved)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(login).grant != nil)
    }

    @Test func `attack: in an outage the bare id does not tell a login that went elsewhere from a decoy`() async throws
    {
        let bench = Self.bench()
        let login = try await bench.begin()
        let decoy = try await bench.begin(email: "nobody@example.com")
        bench.provider.fail(with: .unreached(cause: "no connection"))
        for browser in 1...5 {
            _ = try await bench.service.open(ticket: login.ticket, browserCookie: Secret("browser \(browser)"))
        }
        #expect(try bench.stored(login).provider == Self.standbyName)
        let views = [try await bench.poll(login, Login.bare()), try await bench.poll(decoy, Login.bare())]
        #expect(views[0] == views[1])
        #expect(views[0].hint == .providerDegraded, "there is an outage, which both show")
        #expect(try await bench.poll(login).hint == .userInProvider, "its own caller sees that the scan goes on")
    }

    @Test func `an account that was disabled is scanned nowhere`() async throws {
        let bench = Self.bench()
        bench.provider.fail(with: .unreached(cause: "no connection"))
        let login = try await bench.begin()
        bench.disk.change(Bench.person.account) { $0.isActive = false }
        #expect(try await bench.service.open(ticket: login.ticket, browserCookie: nil) == .notOnThisDevice)
        #expect(bench.standby?.calls.isEmpty == true)
    }
}
