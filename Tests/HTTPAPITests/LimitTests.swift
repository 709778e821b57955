import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Testing

@testable import Assembly
@testable import Operations
@testable import Settings

/// Limits that attackers meet and can't aim.
struct LimitTests {
    // T-236
    @Test(.ofOneDaemon(.dividedLimit)) func `starts from one address: three hundred at once, and five a second`()
        async throws
    {
        try await Harness.run { harness in
            for number in 0..<300 { try await harness.start("person\(number)@example.com") }
            let refused = try await Self.start(harness, "ada@example.com")
            try harness.expect(refused, is: "rate_limited", 429)
            #expect(refused.headers[.retryAfter] == "1" && refused.headers[.setCookie] == nil)
            harness.time.advance(by: .seconds(1))
            for number in 0..<5 { try await harness.start("other\(number)@example.com") }
            try harness.expect(try await Self.start(harness, "ada@example.com"), is: "rate_limited", 429)
            #expect(harness.composition.service.limiterRefusals["initiate_per_address"] == 2)
        }
    }

    // T-236
    @Test func `starts for one account: fifteen at once, and one a minute, however the address is typed`() async throws
    {
        try await Harness.run { harness in
            for number in 0..<15 {
                try await harness.start(["ada@example.com", " ADA@example.com", "Ada@Example.Com "][number % 3])
            }
            let refused = try await Self.start(harness, "ada@EXAMPLE.com")
            try harness.expect(refused, is: "rate_limited", 429)
            #expect(refused.headers[.retryAfter] == "60")
            try await harness.start("bob@example.com")
            harness.time.advance(by: .seconds(60))
            try await harness.start("ada@example.com")
            try harness.expect(try await Self.start(harness, "ada@example.com"), is: "rate_limited", 429)
        }
    }

    // T-027
    @Test func `attack: the limit of starts answers alike for existing, disabled and unknown accounts`() async throws {
        try await Harness.run { harness in
            let device = try await KnownDeviceTests.signIn(harness, "bob@example.com")
            _ = try await harness.composition.accounts.disable("bob@example.com")
            harness.time.advance(by: .seconds(60))
            var answers: [[String]] = []
            for email in ["ada@example.com", "bob@example.com", "nobody@example.com", "no address @ all"] {
                var met: [String] = []
                for _ in 0..<17 {
                    let answer = try await Self.start(harness, email)
                    met.append("\(answer.status.code) \(answer.headerNames) \(answer.headers[.retryAfter] ?? "-")")
                }
                // A person who signed in to the account on this device is not limited, in whatever state it is.
                let own = email == "bob@example.com" ? device : nil
                answers.append(met)
                let linked = try await Self.start(harness, email, own.map { .cookies($0) } ?? [:])
                #expect(linked.status.code == (own == nil ? 429 : 200), "\(email)")
            }
            #expect(Set(answers).count == 1)
        }
    }

    // T-239
    @Test(arguments: [ClientPolicy.Initiators.anyone, .knownDevice])
    func `attack: forty starts for an account do not stop a linked device from starting and signing in`(
        _ initiators: ClientPolicy.Initiators
    ) async throws {
        try await KnownDeviceTests.afterSignIn(initiators: initiators) { harness, device in
            for _ in 0..<40 { _ = try await Self.start(harness, "ada@example.com") }
            try harness.expect(try await Self.start(harness, "ada@example.com"), is: "rate_limited", 429)
            for _ in 0..<20 { try await harness.start(with: .cookies(device)) }
            let login = try await harness.start(with: .cookies(device))
            try await harness.approve(login)
            #expect(try await harness.word(login, .cookies(login.cookie, device)) == "completed")
        }
    }

    // T-239
    @Test func `attack: after an address used up its budget, linked devices behind it still start logins`()
        async throws
    {
        try await KnownDeviceTests.afterSignIn(initiators: .anyone) { harness, device in
            for number in 0..<300 { try await harness.start("person\(number)@example.com") }
            try harness.expect(try await Self.start(harness, "bob@example.com"), is: "rate_limited", 429)
            let junk: HTTPFields = .cookies("vst_device=\(String(repeating: "A", count: 43))")
            try harness.expect(try await Self.start(harness, "ada@example.com", junk), is: "rate_limited", 429)
            // Not seen since the daemon started: looked up.
            try await harness.start(with: .cookies(device))
            // The address's budget for unauthenticated callers is used up as well: the device is remembered.
            for _ in 0..<250 { _ = try await Self.start(harness, "ada@example.com", junk) }
            for _ in 0..<20 { try await harness.start(with: .cookies(device)) }
            try harness.expect(
                try await Self.start(harness, "bob@example.com", .cookies(device)),
                is: "rate_limited",
                429
            )
        }
    }

    // T-239
    @Test func `attack: after a restart, a device linked thirty days ago still starts at an address over its limit`()
        async throws
    {
        // The daemon has restarted since the sign-in, so that it knows the cookie by itself alone.
        try await KnownDeviceTests.afterSignIn(initiators: .anyone) { harness, device in
            harness.time.advance(by: .seconds(30 * 24 * 3600))
            for number in 0..<300 { try await harness.start("person\(number)@example.com") }
            let junk: HTTPFields = .cookies("vst_device=\(String(repeating: "A", count: 43))")
            for _ in 0..<250 { _ = try await Self.start(harness, "ada@example.com", junk) }
            try harness.expect(try await Self.start(harness, "ada@example.com", junk), is: "rate_limited", 429)
            try await harness.start(with: .cookies(device))
            try harness.expect(
                try await Self.start(harness, "bob@example.com", .cookies(device)),
                is: "rate_limited",
                429
            )
        }
    }

    // T-239
    @Test func `attack: a proof presented beside a valid device cookie does not get the linked devices' budget`()
        async throws
    {
        try await KnownDeviceTests.afterSignIn(initiators: .anyone) { harness, device in
            let guess = String(repeating: "B", count: 43)
            // Beside the device's own cookie, as a credential, and as the name of one that signs.
            try await harness.start(with: .cookies(device).adding(.deviceCredential, guess))
            try await harness.start(with: .cookies("\(device).\(guess)"))
            for number in 0..<298 { try await harness.start("person\(number)@example.com") }
            let junk: HTTPFields = .cookies("vst_device=\(String(repeating: "A", count: 43))")
            for _ in 0..<250 { _ = try await Self.start(harness, "ada@example.com", junk) }
            let before = harness.composition.service.limiterRefusals["initiate_per_address"] ?? 0
            let proofs = [
                PresentedProofs(others: [Digest256(sha256: guess)]),
                PresentedProofs(issued: [Digest256(sha256: device.dropFirst("vst_device=".count))]),
            ]
            #expect(!harness.composition.service.limits.takeLinked(proofs[0]), "the guess was marked as linked")
            #expect(harness.composition.service.limits.takeLinked(proofs[1]))
            for headers in [HTTPFields.cookies("vst_device=\(guess)"), [.deviceCredential: guess]] {
                try harness.expect(try await Self.start(harness, "ada@example.com", headers), is: "rate_limited", 429)
            }
            #expect(harness.composition.service.limiterRefusals["initiate_per_address"] == before + 2)
        }
    }

    // T-239
    /// The sign-in page takes a browser's cookies alone, so the header of an app must not count there as a known device.
    @Test func `attack: at the sign-in page an app's device credential does not count as a linked device`() async throws
    {
        let once = RateLimit(burst: 1, every: .seconds(3600))
        try await SignInFixture.run({
            ($0.limits.rates.logins.initiatePerAddress, $0.limits.rates.logins.strangersPerAddress) = (once, once)
        }) { fixture in
            let credential = String(repeating: "C", count: 43)
            let limits = fixture.harness.composition.service.limits
            limits.noteLinked([Digest256(sha256: credential)])
            let browser = try await fixture.browser()
            for _ in 0..<3 {
                let headers: HTTPFields = [.deviceCredential: credential]
                _ = try await browser.press("/face", "email=ada%40example.com", headers)
            }
            #expect(limits.takeLinked(PresentedProofs(others: [Digest256(sha256: credential)])), "it was spent there")
            let refused = try await browser.press("/face", "email=ada%40example.com", [.deviceCredential: credential])
            #expect(refused.status == .tooManyRequests)
        }
    }

    // T-008
    @Test(.ofOneDaemon(.countedByEach))
    func `attack: outsiders with the id alone get the same statuses for a collected login as for a decoy`()
        async throws
    {
        let agent: HTTPFields = [.userAgent: "an app without cookies"]
        let outsider: HTTPFields = [.userAgent: "somebody else"]
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            #expect(try await harness.word(login, agent) == "completed")
            harness.time.advance(by: .seconds(1))
            let met = try await Self.statuses(harness, login, outsider)
            let decoy = try await harness.start("nobody@example.com")
            #expect(try await Self.statuses(harness, decoy, outsider) == met)
            #expect(met.last == "429 slow_down")
            #expect(try await harness.word(login, agent) == "completed", "who collected it is told as ever")
            // Past the deadline it looks ended to him, and an end is told as often as he asks.
            harness.time.advance(by: .seconds(180))
            #expect(try await Self.statuses(harness, login, outsider) == Array(repeating: "200 -", count: 25))
        }
    }

    /// The answers to a burst of polls.
    private static func statuses(
        _ harness: Harness,
        _ login: StartedLogin,
        _ headers: HTTPFields
    ) async throws -> [String] {
        var statuses: [String] = []
        for _ in 0..<25 {
            let answer = try await harness.poll(login, headers)
            let code = answer.status == .ok ? "-" : try answer.json()["code"] as? String ?? ""
            statuses.append("\(answer.status.code) \(code)")
        }
        return statuses
    }

    // T-236
    @Test func `attack: a cookie that is not linked to the account does not get around the account's limit`()
        async throws
    {
        try await KnownDeviceTests.afterSignIn(ofBob: true) { harness, device in
            let bobs = try #require(device.dropFirst("vst_device=".count).split(separator: ".").first)
            let strange: HTTPFields = .cookies("vst_device=\(bobs).\(String(repeating: "A", count: 43))")
            for _ in 0..<15 { _ = try await Self.start(harness, "ada@example.com", strange) }
            try harness.expect(try await Self.start(harness, "ada@example.com", strange), is: "rate_limited", 429)
            try harness.expect(try await Self.start(harness, "ada@example.com"), is: "rate_limited", 429)
            let rows = try await harness.composition.service.list(OperationFilter(limit: 1000))
            _ = try await Self.start(harness, "ada@example.com", strange)
            #expect(try await harness.composition.service.list(OperationFilter(limit: 1000)).count == rows.count)
        }
    }

    // T-237
    @Test(.ofOneDaemon(.countedByEach)) func `a client that polls too fast is told to slow down, and by how much`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            for _ in 0..<20 { #expect(try await harness.poll(login, login.bound).status == .ok) }
            let refused = try await harness.poll(login, login.bound)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "7")
            let body = try refused.json()
            #expect(body["code"] as? String == "slow_down" && body["interval"] as? Int == 7)
            #expect(Set(body.keys) == ["error", "code", "message", "requestId", "interval"])
            let stream = try await harness.send(
                .get,
                "/auth/biometric-login/events/\(login.id)",
                login.bound
            )
            #expect(try stream.json()["code"] as? String == "slow_down")
            harness.time.advance(by: .milliseconds(200))
            #expect(try await harness.poll(login, login.bound).status == .ok)
            #expect(try await harness.poll(login, login.bound).status == .tooManyRequests)
        }
    }

    // T-237
    @Test func `a failed or approved login may be polled a hundred times without 429`() async throws {
        try await Harness.run { harness in
            let failed = try await harness.start()
            try await harness.send(.post, failed.cancelPath, failed.bound)
            for _ in 0..<100 { #expect(try await harness.word(failed, failed.bound) == "canceled") }
            let approved = try await harness.start()
            try await harness.approve(approved)
            for _ in 0..<60 { #expect(try await harness.word(approved, approved.bound) == "completed") }
        }
    }

    // T-007
    @Test(.ofOneDaemon(.countedByEach))
    func `attack: polls with the id alone take nothing of the budget of polls with proof`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            for _ in 0..<50 { _ = try await harness.poll(login) }
            #expect(try await harness.poll(login).status == .tooManyRequests)
            for _ in 0..<20 { #expect(try await harness.poll(login, login.bound).status == .ok) }
            let challenged = try await harness.start(isChallenged: true)
            for _ in 0..<50 { _ = try await harness.poll(challenged) }
            #expect(try await harness.poll(challenged, Harness.proof).status == .ok)
        }
    }

    // T-238
    @Test(.ofOneDaemon(.dividedLimit))
    func `attack: polls of unknown ids and of other logins count against the caller's address`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start(isChallenged: true)
            let unknown = "/auth/biometric-login/poll/00000000-0000-4000-8000-000000000000"
            for number in 0..<200 {
                let answer = try await number % 2 == 0 ? harness.poll(login) : harness.send(.get, unknown)
                #expect(answer.status != .tooManyRequests)
            }
            for verb in ["poll", "ack", "cancel"] {
                let path = "/auth/biometric-login/\(verb)/"
                for id in [login.id, "00000000-0000-4000-8000-000000000000"] {
                    try harness.expect(try await harness.send(.post, path + id), is: "rate_limited", 429)
                }
            }
            #expect(try await harness.poll(login, Harness.proof).status == .ok)
            #expect(try await harness.send(.post, login.cancelPath, Harness.proof).status == .ok)
        }
    }

    // T-245
    @Test(.ofOneDaemon(.dividedLimit)) func `scans asked for from one address are limited, and a person reads a page`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            for _ in 0..<300 { try await harness.open(login, browser: "vst_go=one") }
            let page = try await harness.open(login, browser: "vst_go=one")
            #expect(page.status == .tooManyRequests && page.headers[.retryAfter] == "1")
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.text.contains("Too many requests at once") && page.text.contains("<form"))
            #expect(try await harness.send(.get, login.landingPath).status == .ok, "looking at it costs nothing")
            harness.time.advance(by: .milliseconds(500))
            #expect(try await harness.open(login, browser: "vst_go=one").status == .seeOther)
        }
    }

    // T-236
    @Test func `rate limits are those of the config, and limits.off switches them off`() async throws {
        try await Harness.run {
            $0.limits.rates.logins.initiatePerAccount = RateLimit(burst: 2, every: .seconds(3600))
        } _: { harness in
            for _ in 0..<2 { try await harness.start() }
            #expect(try await Self.start(harness, "ada@example.com").headers[.retryAfter] == "3600")
        }
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let login = try await harness.start()
            for _ in 0..<50 { #expect(try await harness.poll(login, login.bound).status == .ok) }
            for _ in 0..<50 { try await harness.start() }
        }
    }

    // T-257
    @Test(.ofOneDaemon(.oneCounter)) func `what the limiters refused is in the audit's tally`() async throws {
        try await Harness.run { harness in
            for _ in 0..<18 { _ = try await Self.start(harness, "ada@example.com") }
            harness.time.advance(by: .seconds(61))
            try await harness.composition.service.refusals.flush()
            let rows = try await harness.composition.audit.newest(100).map { "\($0)" }
            #expect(rows.contains { $0.contains("limited.initiate_per_account=3") }, "\(rows)")
        }
    }

    /// A start that may be refused.
    private static func start(
        _ harness: Harness,
        _ email: String,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await harness.post(Harness.initiatePath, "{\"email\":\"\(email)\"}", headers)
    }
}
