import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

/// The way back from the provider, where a write was durable though it reported a fault.
@Suite(.timeLimit(.minutes(10))) struct ReturnAttemptTests {
    private static let page = "https://login.example.com/return"

    private let provider = ScriptedFaceProvider(returnsToUs: true)
    private let harness: Harness

    init() { harness = Harness(provider: provider) }

    private func begin() async throws -> Login {
        let order = BeginOperation(
            email: Harness.person.email,
            policy: OperationSample.policy(landing: LandingPolicy(requiresReturn: true)),
            codeChallenge: Digest256(sha256: "verifier"),
            deviceProof: DeviceProof(cookies: []),
            binding: OperationBinding(redirectBack: RedirectBack(url: "https://app.example.com/done"))
        )
        return Login(begun: try await harness.service.begin(order), codeVerifier: "verifier")
    }

    private func open(_ login: Login, _ browser: String) async throws -> OpenOutcome {
        try await harness.service.open(ticket: login.ticket, browserCookie: Secret(browser), returnTo: Self.page)
    }

    /// The secrets that the provider was told, in order.
    private var secrets: [String] {
        provider.calls.compactMap { call in
            guard case .begin(let request) = call else { return nil }
            return request.returnTo.map { String($0.dropFirst(Self.page.count + 1)) }
        }
    }

    /// The first `attempts` starts go well, of the next one the write reports a fault and is durable.
    @Test(arguments: [0, 1, 2])
    func `the browser of the stored attempt returns, also when its write reported an error`(
        attempts: Int
    ) async throws {
        let login = try await begin()
        // The link is opened before any scan begins, so that the faulty write is that of a scan.
        provider.fail(with: .unavailable(cause: "an outage"))
        #expect(try await open(login, "browser 0") == .providerDown)
        provider.fail(with: nil)
        for number in 0..<attempts { _ = try await open(login, "early browser \(number)") }
        harness.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) { try await open(login, "browser") }

        guard case .toProvider(let page, _) = try await open(login, "browser") else {
            throw UnexpectedResultError(what: "no page")
        }
        guard case .pending(let scan) = try harness.state(of: login) else {
            throw UnexpectedResultError(what: "no scan")
        }
        #expect(page.expose().hasSuffix("/" + scan.reference.text), "no page of a scan that was left behind")
        #expect(scan.reference == ProviderReference("scan-\(attempts + 1)") && scan.attempt == attempts + 1)
        provider.answer(scan.reference, .approved)
        await harness.pass(.seconds(10))
        let secret = try #require(secrets.last)
        // The second start of the attempt was told the same secret.
        #expect(secrets.count { $0 == secret } == 2)
        for other in secrets where other != secret {
            #expect(try await comeBack(login, other) == .elsewhere, "the secret of another attempt")
        }
        guard case .toApp(let address) = try await comeBack(login, secret) else {
            throw UnexpectedResultError(what: "no way back")
        }
        let code = try #require(address.expose().split(separator: "=").last)
        var caller = login.rightful
        caller.returnCode = Digest256(sha256: code)
        #expect(try await harness.poll(login, caller).grant != nil)
        await harness.watcher.endOrphanedScans()
        let left = ProviderReference("scan-\(attempts + 2)")
        #expect(provider.canceled.contains(left) && !provider.canceled.contains(scan.reference))
    }

    @Test func `after a last restart that was stored, its browser comes to that scan, and no other begins one`()
        async throws
    {
        let login = try await begin()
        for number in 0..<3 { _ = try await open(login, "early browser \(number)") }
        harness.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) { try await open(login, "browser") }
        let begun = provider.beginCount
        let page = Secret("https://provider.example.com/scan-4")
        for _ in 0..<2 {
            #expect(try await open(login, "browser") == .toProvider(page: page, cookie: Secret("browser")))
            #expect(provider.beginCount == begun + 1, "it is known by then")
        }
        #expect(try await open(login, "another browser") == .tooManyRestarts)
        #expect(provider.beginCount == begun + 1)
        await harness.watcher.endOrphanedScans()
        #expect(provider.canceled.last == provider.newest, "nobody was shown the one too many")
    }

    private func comeBack(_ login: Login, _ secret: String) async throws -> ReturnOutcome {
        try await harness.service.redirectBack(ticket: login.ticket, secret: secret, browserCookie: Secret("browser"))
    }
}
