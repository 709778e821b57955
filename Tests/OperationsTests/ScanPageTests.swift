import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

/// The provider's page, as it outlives the process that handed it out.
@Suite(.timeLimit(.minutes(1))) struct ScanPageTests {
    private static let page = Secret("https://provider.example.com/scan-1")

    @Test func `after a restart the same browser goes on with its scan, and another one starts over`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        try await harness.open(login)
        let next = try await harness.restarted()
        let before = next.disk.tally
        for _ in 0..<3 { #expect(try await Self.reload(login, in: next) == Self.toProvider(Self.page)) }
        #expect(next.provider.beginCount == 1)
        #expect(next.disk.tally == before, "neither read nor written")
        let other = try await next.open(login, browser: "another browser")
        #expect(next.provider.beginCount == 2)
        #expect(try await Self.reload(login, in: next) != Self.toProvider(Self.page), "its scan was left behind")
        guard case .pending(let scan) = try next.state(of: login) else { throw UnexpectedResultError(what: "no scan") }
        #expect(scan.attempt == 3 && scan.reference != other)
    }

    @Test func `the scan that goes on after a restart signs in`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        let next = try await harness.restarted()
        #expect(try await Self.reload(login, in: next) == Self.toProvider(Self.page))
        next.provider.answer(reference, .pending(.processing))
        await next.pass(.seconds(2))
        #expect(try await next.poll(login).hint == .processing)
        #expect(try await Self.reload(login, in: next) == Self.toProvider(Self.page), "also at a later version")
        let last = try await next.restarted()
        #expect(try await Self.reload(login, in: last) == Self.toProvider(Self.page))
        last.provider.answer(reference, .approved)
        await last.pass(.seconds(6))
        #expect(try await last.poll(login).grant != nil)
        #expect(last.provider.beginCount == 1)
    }

    @Test func `after the link was opened without a scan, a restart has no page`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        #expect(try await Self.reload(login, in: harness) == .providerDown)
        harness.provider.fail(with: nil)
        let next = try await harness.restarted()
        #expect(try await Self.reload(login, in: next) == Self.toProvider(Self.page))
        #expect(next.provider.beginCount == 2)
    }

    @Test func `a page at another provider comes back after a failover and a restart`() async throws {
        let standby = ScriptedFaceProvider(name: ProviderName("standby"))
        var person = Harness.person
        person.elsewhere = [standby.name: "robin-there"]
        let harness = Harness(disk: MemoryDisk(people: [person]), standby: standby)
        let login = try await harness.begin()
        harness.provider.fail(with: .unreached(cause: "refused"))
        let first = try await Self.reload(login, in: harness)
        #expect(first == Self.toProvider(Self.page))
        harness.provider.fail(with: nil)
        let next = try await harness.restarted()
        #expect(try await Self.reload(login, in: next) == first)
        #expect(standby.beginCount == 1)
    }

    // T-209
    @Test func `attack: the row has no provider's page in plain form`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        try await harness.open(login)
        let stored = try #require(try harness.storedPage(of: login))
        #expect(!stored.text.contains("provider.example.com"))
    }

    // T-209, T-211
    @Test(arguments: Tampering.allCases)
    func `attack: a stored page that was changed, moved or given another browser leads nowhere`(
        _ tampering: Tampering
    ) async throws {
        let harness = Harness()
        let other = try await harness.begin()
        try await harness.open(other)
        let foreign = try #require(try harness.storedPage(of: other))
        let login = try await harness.begin()
        let abandoned = try await harness.open(login)
        let attacker = Secret(tampering == .browser ? "attacker" : "browser")
        try await harness.change(login) { scan in
            switch tampering {
            case .key: (scan.browser, scan.page)
            case .text: (scan.browser, scan.page.map { EncryptedScanPage($0.text.replacing(".", with: ".A")) })
            case .form: (scan.browser, EncryptedScanPage("https://evil.example.com"))
            case .operation: (scan.browser, foreign)
            case .browser: (Digest256(sha256: attacker.expose()), scan.page)
            }
        }
        if tampering == .key { harness.encryptor.changeKey() }
        let next = try await harness.restarted()
        let outcome = try await next.service.open(ticket: login.ticket, browserCookie: attacker)
        let fresh = try #require(next.provider.newest)
        #expect(outcome == Self.toProvider(Secret("https://provider.example.com/\(fresh.text)"), attacker))
        #expect(next.provider.beginCount == 3 && fresh != abandoned, "as without a page")
        #expect(try await next.service.open(ticket: login.ticket, browserCookie: attacker) == outcome)
        #expect(next.provider.beginCount == 3)
    }

    /// What somebody did to the row, or to the key.
    enum Tampering: CaseIterable { case key, text, form, operation, browser }

    private static func reload(_ login: Login, in harness: Harness) async throws -> OpenOutcome {
        try await harness.service.open(ticket: login.ticket, browserCookie: Secret("browser"))
    }

    private static func toProvider(_ page: Secret, _ cookie: Secret = Secret("browser")) -> OpenOutcome {
        .toProvider(page: page, cookie: cookie)
    }
}

extension Harness {
    /// The page in the login's row.
    fileprivate func storedPage(of login: Login) throws -> EncryptedScanPage? {
        guard case .pending(let scan) = try state(of: login) else { return nil }
        return scan.page
    }

    /// Changes browser and page in the login's row, behind the service's back.
    fileprivate func change(
        _ login: Login,
        _ change: (Scan) -> (browser: Digest256, page: EncryptedScanPage?)
    ) async throws {
        let stored = try stored(login)
        guard case .pending(let scan) = stored.state else { throw UnexpectedResultError(what: "no scan") }
        let (browser, page) = change(scan)
        let changed = Operation(
            id: stored.id,
            credentials: stored.credentials,
            request: stored.request,
            validity: stored.validity,
            provider: stored.provider,
            state: .pending(
                Scan(
                    reference: scan.reference,
                    browser: browser,
                    attempt: scan.attempt,
                    startedAt: scan.startedAt,
                    progress: scan.progress,
                    page: page
                )
            ),
            binding: stored.binding,
            version: Operation.Version(seq: stored.seq + 1)
        )
        let storage = disk.open()
        let isWritten = try await storage.unitOfWork.run { transaction in
            try storage.operations.update(changed, over: stored.seq, in: transaction)
        }
        #expect(isWritten)
    }
}
