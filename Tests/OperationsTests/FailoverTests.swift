import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite(.timeLimit(.minutes(5))) struct FailoverTests {
    private static let standbyName = ProviderName("standby")

    private static func harness(enrolledThere: Bool = true) -> Harness {
        var person = Harness.person
        person.elsewhere[standbyName] = enrolledThere ? "robin-at-standby" : .some(nil)
        return Harness(disk: MemoryDisk(people: [person]), standby: ScriptedFaceProvider(name: standbyName))
    }

    private static let notStarted: [ProviderError] = [
        .unreached(cause: "no connection"), .heldBack(cause: "its circuit is open"),
    ]

    @Test(arguments: notStarted)
    func `a scan that was surely not begun is begun at the next provider, and followed there`(
        _ failure: ProviderError
    ) async throws {
        let harness = Self.harness()
        let standby = try #require(harness.standby)
        harness.provider.fail(with: failure)
        let login = try await harness.begin()
        let outcome = try await harness.service.open(ticket: login.ticket, browserCookie: Secret("browser"))
        guard case .toProvider = outcome else { throw UnexpectedResultError(what: "\(outcome)") }
        guard case .begin(let request) = standby.calls.first else {
            throw UnexpectedResultError(what: "\(standby.calls)")
        }
        #expect(request.enrolment == "robin-at-standby")
        #expect(try harness.stored(login).provider == Self.standbyName)
        #expect(harness.disk.tables.auditLog.last?.detail == "attempt 1 at standby")
        let asked = harness.provider.calls.count
        standby.answer(try #require(standby.newest), .approved)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(login).grant != nil)
        #expect(harness.provider.calls.count == asked, "the one that was left behind is not asked")
    }

    // T-061
    @Test(arguments: [ProviderError.unavailable(cause: "a timeout"), .refused(cause: "locked out")])
    func `a scan that may have begun, or was refused, is not begun at the standby`(
        _ failure: ProviderError
    ) async throws {
        let harness = Self.harness()
        harness.provider.fail(with: failure)
        let login = try await harness.begin()
        #expect(try await harness.service.open(ticket: login.ticket, browserCookie: nil) == .providerDown)
        #expect(harness.standby?.calls.isEmpty == true)
        #expect(try harness.stored(login).provider == harness.provider.name)
    }

    @Test func `an open circuit marks the provider degraded at the first held-back start`() async throws {
        let harness = Self.harness(enrolledThere: false)
        harness.provider.fail(with: .heldBack(cause: "too many calls wait for it"))
        let login = try await harness.begin()
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil)
        #expect(harness.service.providerHealth[harness.provider.name] == true, "a crowd of ours is no outage")
        harness.provider.switchCircuit(to: .open)
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil)
        #expect(harness.service.providerHealth[harness.provider.name] == false)
    }

    @Test func `an open circuit marks the provider degraded at the first held-back check`() async throws {
        let harness = Self.harness()
        let login = try await harness.begin()
        try await harness.open(login)
        harness.provider.fail(with: .heldBack(cause: "its circuit is open"))
        harness.provider.switchCircuit(to: .open)
        await harness.pass(.seconds(7))
        #expect(harness.service.providerHealth[harness.provider.name] == false)
    }

    @Test func `the standby is not asked while the first provider answers`() async throws {
        let harness = Self.harness()
        let login = try await harness.begin()
        try await harness.open(login)
        await harness.pass(.seconds(60))
        #expect(harness.standby?.calls.isEmpty == true)
    }

    // T-061
    @Test func `who is not enrolled there is told that the provider is down`() async throws {
        let harness = Self.harness(enrolledThere: false)
        harness.provider.fail(with: .heldBack(cause: "its circuit is open"))
        let login = try await harness.begin()
        #expect(try await harness.service.open(ticket: login.ticket, browserCookie: nil) == .providerDown)
        #expect(harness.standby?.calls.isEmpty == true)
        #expect(try harness.state(of: login).name == .opened)
    }

    // T-061
    @Test func `attack: after a failover the first provider's approval grants nothing, also for the same scan name`()
        async throws
    {
        let harness = Self.harness()
        let standby = try #require(harness.standby)
        let login = try await harness.begin()
        let abandoned = try await harness.open(login)
        let before = try harness.stored(login)
        harness.provider.fail(with: .heldBack(cause: "its circuit is open"))
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: Secret("another browser"))
        #expect(standby.newest == abandoned, "both call it scan-1")
        try await harness.service.observe(.approved, of: abandoned, for: before)
        #expect(try harness.state(of: login).name == .pending)
        #expect(harness.environment(of: login).last == .lateVerdict)
        standby.answer(abandoned, .rejected(.notMatched))
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(login).failure == .notMatched)
        try await harness.service.observe(.approved, of: abandoned, for: before)
        #expect(harness.sessionCount == 0)
    }

    @Test func `after a restart of the daemon the provider that scans is asked`() async throws {
        let harness = Self.harness()
        let standby = try #require(harness.standby)
        harness.provider.fail(with: .unreached(cause: "no connection"))
        let login = try await harness.begin()
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil)
        let next = try await harness.restarted()
        let asked = harness.provider.calls.count
        standby.answer(try #require(standby.newest), .approved)
        await next.pass(.seconds(2))
        #expect(try await next.poll(login).grant != nil)
        #expect(harness.provider.calls.count == asked)
    }

    @Test func `starting over goes back to the usual provider once it is well`() async throws {
        let harness = Self.harness()
        harness.provider.fail(with: .unreached(cause: "no connection"))
        let login = try await harness.begin()
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil)
        harness.provider.fail(with: nil)
        let reference = try await harness.open(login, browser: "another browser")
        #expect(try harness.stored(login).provider == harness.provider.name)
        harness.provider.answer(reference, .approved)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(login).grant != nil)
    }

    // T-008
    @Test func `attack: during an outage the bare id sees the same of a login at the standby as of a decoy`()
        async throws
    {
        let harness = Self.harness()
        let login = try await harness.begin()
        let decoy = try await harness.begin(email: "nobody@example.com")
        harness.provider.fail(with: .unreached(cause: "no connection"))
        for browser in 1...5 {
            _ = try await harness.service.open(ticket: login.ticket, browserCookie: Secret("browser \(browser)"))
        }
        #expect(try harness.stored(login).provider == Self.standbyName)
        let views = [try await harness.poll(login, Login.bare()), try await harness.poll(decoy, Login.bare())]
        #expect(views[0] == views[1])
        #expect(views[0].hint == .providerDegraded, "there is an outage, which both show")
        #expect(try await harness.poll(login).hint == .userInProvider, "its own caller sees that the scan goes on")
    }

    @Test func `an account that was disabled is scanned nowhere`() async throws {
        let harness = Self.harness()
        harness.provider.fail(with: .unreached(cause: "no connection"))
        let login = try await harness.begin()
        harness.disk.change(Harness.person.account) { $0.isActive = false }
        #expect(try await harness.service.open(ticket: login.ticket, browserCookie: nil) == .notOnThisDevice)
        #expect(harness.standby?.calls.isEmpty == true)
    }
}
