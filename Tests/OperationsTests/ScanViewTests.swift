import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Operations

/// What the browser of a scan sees of it, and no other browser.
@Suite(.timeLimit(.minutes(1))) struct ScanViewTests {
    private static let policy = OperationSample.policy(landing: LandingPolicy(clientName: "Shop", step: .confirm))

    private static func view(_ harness: Harness, _ login: Login, _ browser: String? = "browser") -> ScanView? {
        let page = harness.service.landing(ticket: login.ticket, browserCookie: browser.map { Secret($0) })
        guard case .progress(let view) = page else { return nil }
        return view
    }

    @Test func `the browser that began the scan sees each step, and then the outcome`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        #expect(Self.view(harness, login) == nil)
        let scan = try await harness.open(login)
        let opened = try #require(Self.view(harness, login))
        #expect(opened.hint == .userInProvider && opened.leadsToScan && !opened.isDeniable)
        harness.provider.answer(scan, .pending(.processing))
        await harness.pass(.seconds(6))
        #expect(Self.view(harness, login)?.hint == .processing)
        harness.provider.answer(scan, .approved)
        await harness.pass(.seconds(6))
        let end = harness.service.landing(ticket: login.ticket, browserCookie: Secret("browser"))
        #expect(end == .outcome(.accepted))
    }

    @Test func `a link that was opened, and whose provider did not answer, shows that step`() async throws {
        let harness = Harness()
        let login = try await harness.begin(policy: Self.policy)
        harness.provider.fail(with: .unreached(cause: "down"))
        #expect(
            try await harness.service.open(ticket: login.ticket, browserCookie: Secret("browser")) == .providerDown
        )
        let view = try #require(Self.view(harness, login))
        #expect(view.leadsToScan && view.isDeniable, "it asked before, and does not ask twice")
        #expect([.linkOpened, .providerDegraded].contains(view.hint))
    }

    @Test func `attack: another browser sees the page of a link that nobody has opened`() async throws {
        let harness = Harness()
        for policy in [OperationSample.policy(), Self.policy] {
            let login = try await harness.begin(policy: policy)
            let before = harness.service.landing(ticket: login.ticket, browserCookie: nil)
            try await harness.open(login)
            for other in [nil, "another"] {
                #expect(
                    harness.service.landing(ticket: login.ticket, browserCookie: other.map { Secret($0) }) == before
                )
            }
        }
    }

    @Test func `the browser of an attempt that another one has replaced sees no progress`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        try await harness.open(login, browser: "one")
        try await harness.open(login, browser: "two")
        #expect(Self.view(harness, login, "one") == nil && Self.view(harness, login, "two") != nil)
        #expect(harness.service.currentView(login.publicID, in: Digest256(sha256: "one")) == nil)
        #expect(harness.service.currentView(login.publicID, in: Digest256(sha256: "two"))?.hint == .userInProvider)
    }

    @Test func `after the last restart, the page leads to the scan only while its address is known`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        for browser in ["one", "two", "three", "four"] { try await harness.open(login, browser: browser) }
        #expect(Self.view(harness, login, "four")?.leadsToScan == true)
        let card = try #require(harness.service.cache.card(login.publicID))
        guard case .pending(let scan) = card.operation.state, let page = scan.page else {
            throw UnexpectedResultError(what: "no page")
        }
        harness.service.cache.forget(page, of: login.publicID)
        #expect(Self.view(harness, login, "four")?.leadsToScan == false)
        #expect(try await harness.service.open(ticket: login.ticket, browserCookie: Secret("four")) == .tooManyRestarts)
    }

    @Test func `looking at the progress writes nothing and reads nothing from the database`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        try await harness.open(login)
        let before = harness.disk.tally
        for _ in 0..<10 {
            #expect(Self.view(harness, login) != nil)
            _ = harness.service.currentView(login.publicID, in: Digest256(sha256: "browser"))
        }
        #expect(harness.disk.tally == before)
    }

    // T-015
    @Test func `the browser of the sign-in page is not asked whether it began the login`() async throws {
        let harness = Harness()
        let login = try await harness.begin(policy: Self.policy)
        let own = Digest256(sha256: login.begun.bindingCookie.expose())
        let service = harness.service
        #expect(service.landing(ticket: login.ticket, browserCookie: nil, signInCookie: own) == .proceed)
        for other in [nil, Digest256(sha256: "guess")] {
            guard case .confirm = service.landing(ticket: login.ticket, browserCookie: nil, signInCookie: other) else {
                throw UnexpectedResultError(what: "not asked")
            }
        }
        // The cookie of the start's answer, which any client's browser has, counts for nothing here.
        guard case .confirm = service.landing(ticket: login.ticket, browserCookie: nil, startCookie: own) else {
            throw UnexpectedResultError(what: "not asked")
        }
    }

    // T-182
    @Test func `the page of another organisation's request asks the browser of the sign-in page too`() async throws {
        let harness = Harness()
        let landing = LandingPolicy(clientName: "Shop", step: .confirm, asked: .init(scopes: ["openid"], resources: []))
        let login = try await harness.begin(policy: OperationSample.policy(landing: landing))
        let own = Digest256(sha256: login.begun.bindingCookie.expose())
        guard case .confirm = harness.service.landing(ticket: login.ticket, browserCookie: nil, signInCookie: own)
        else { throw UnexpectedResultError(what: "not asked") }
    }
}
